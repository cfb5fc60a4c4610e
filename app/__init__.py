"""The site: settings, store, services, web."""
