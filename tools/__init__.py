"""Tools for developers and releases, none of which the service imports: the compiled build, packages, pictures."""
