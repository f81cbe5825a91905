raise SystemExit('not torch')
