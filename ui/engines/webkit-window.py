#!/usr/bin/python3
"""Browser window that WebKitWebDriver starts. MiniBrowser's window is never narrower than 447 px.

RESPIRO_WEBKIT names a JSON file: `script` runs at the start of every document in all frames; `isDark`, `isMotionReduced`.
"""
import json
import os

import gi

gi.require_version('Gtk', '3.0')
gi.require_version('WebKit2', '4.1')
from gi.repository import Gtk, WebKit2  # noqa: E402

with open(os.environ['RESPIRO_WEBKIT'], encoding='utf-8') as file:
    options = json.load(file)
settings = Gtk.Settings.get_default()
settings.props.gtk_application_prefer_dark_theme = options['isDark']
settings.props.gtk_enable_animations = not options['isMotionReduced']

context = WebKit2.WebContext.new_ephemeral()
context.set_automation_allowed(True)
context.set_preferred_languages(['it-IT'])


def open_view(*_):
    content = WebKit2.UserContentManager()
    content.add_script(WebKit2.UserScript.new(
        options['script'], WebKit2.UserContentInjectedFrames.ALL_FRAMES, WebKit2.UserScriptInjectionTime.START, None, None))
    view = WebKit2.WebView(web_context=context, is_controlled_by_automation=True, user_content_manager=content)
    window = Gtk.Window(default_width=1280, default_height=800, decorated=False)
    window.add(view)
    window.show_all()
    view.grab_focus()
    window.present()
    view.connect('close', lambda _: window.destroy())
    return view


def start_session(_, session):
    info = WebKit2.ApplicationInfo()
    info.set_name('respiro')
    session.set_application_info(info)
    session.connect('create-web-view', open_view)


context.connect('automation-started', start_session)
Gtk.main()
