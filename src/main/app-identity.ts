/** As in electron-builder.yml: Windows ties notifications and the taskbar to it, and it must be the same there. */
export const APP_ID = 'app.vignette'

/**
 * What Windows starts when a notification of an earlier run is clicked; the same for ever, or old notifications and the
 * shortcut in the start menu would name something that is gone. The uninstaller removes it (resources/installer).
 */
export const TOAST_ACTIVATOR = '{B181E273-3AF8-4A21-AD0F-36E490A3430B}'
