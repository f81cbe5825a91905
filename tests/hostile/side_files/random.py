raise SystemExit('not random')
