"""`probative settings`: the settings in force and what each means."""

from __future__ import annotations

from probative.cli.framework.options import ConfigOptions, Json
from probative.cli.views.installation import show_settings
from probative.cli.views.terminal import print_json
from probative.settings import settings_files

EXAMPLES = ("probative settings", "probative settings --json", "probative settings --config ./server.toml")


def settings(json: Json = False, *, config: ConfigOptions) -> None:
    """Show every setting: its value and its meaning. Keys are masked."""
    in_force = config.settings()
    if json:
        print_json(in_force)
    else:
        show_settings(in_force, settings_files(config=config.config))
