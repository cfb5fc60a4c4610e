"""Providers of OpenID Connect: other sites that say who somebody is."""
