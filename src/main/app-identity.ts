import type { App } from 'electron'

/** As in electron-builder.yml: Windows ties notifications and the taskbar to it, and it must be the same there. */
export const APP_ID = 'app.vignette'

/**
 * What Windows starts when a notification of an earlier run is clicked; the same for ever, or old notifications and the
 * shortcut in the start menu would name something that is gone. The uninstaller removes it (resources/installer).
 */
export const TOAST_ACTIVATOR = '{B181E273-3AF8-4A21-AD0F-36E490A3430B}'

/** As in electron-builder.yml: what the installed program is called, and its icon in the system's icon theme. */
export const EXECUTABLE_NAME = 'vignette'

type NamedApp = Pick<
  App,
  'isPackaged' | 'getPath' | 'setPath' | 'setName' | 'setAppUserModelId' | 'setToastActivatorCLSID'
>

/**
 * Tells Windows who shows windows and notifications. Electron points the Start-menu shortcut that has the app's name at the
 * running program, so one that runs from the project goes by another name: the shortcut belongs to an installed Vignette.
 */
export function setWindowsIdentity(app: NamedApp): void {
  if (app.isPackaged) {
    app.setToastActivatorCLSID(TOAST_ACTIVATOR)
    app.setAppUserModelId(APP_ID)
    return
  }
  // The data folder follows the name.
  const userData = app.getPath('userData')
  app.setName('Vignette Development')
  app.setPath('userData', userData)
  app.setAppUserModelId(`${APP_ID}.development`)
}
