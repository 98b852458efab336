/** As in electron-builder.yml: Windows ties notifications and the taskbar to it, and it must be the same there. */
export const APP_ID = 'app.vignette'
