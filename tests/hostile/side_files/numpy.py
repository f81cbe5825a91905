raise SystemExit('not numpy')
