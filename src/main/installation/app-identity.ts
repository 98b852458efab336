import type { App } from 'electron'

/**
 * The AppUserModelID that Windows uses for notifications and the taskbar. Must match `appId` in electron-builder.yml.
 */
export const APP_ID = 'app.vignette'

/**
 * COM class id that Windows activates when a notification from an earlier run is clicked. It must never change:
 * existing notifications and the Start menu shortcut refer to it. The uninstaller removes it (resources/installer).
 */
export const TOAST_ACTIVATOR = '{B181E273-3AF8-4A21-AD0F-36E490A3430B}'

/** Must match electron-builder.yml. Also the icon's name in the Linux icon theme. */
export const EXECUTABLE_NAME = 'vignette'

type NamedApp = Pick<
  App,
  'isPackaged' | 'getPath' | 'setPath' | 'setName' | 'setAppUserModelId' | 'setToastActivatorCLSID'
>

/**
 * Sets the app identity that Windows shows on windows and notifications. Electron points the Start menu shortcut with
 * the app's name at the running program, so a development build uses another name to leave an installed Vignette's
 * shortcut alone.
 */
export function setWindowsIdentity(app: NamedApp): void {
  if (app.isPackaged) {
    app.setToastActivatorCLSID(TOAST_ACTIVATOR)
    app.setAppUserModelId(APP_ID)
    return
  }
  // Changing the name would also move the data folder.
  const userData = app.getPath('userData')
  app.setName('Vignette Development')
  app.setPath('userData', userData)
  app.setAppUserModelId(`${APP_ID}.development`)
}
