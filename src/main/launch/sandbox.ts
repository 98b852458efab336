import type { App } from 'electron'

/** Whether Chromium's sandbox protects the system from the page. A switch of the command line turns it off. */
export function hasSandbox(app: Pick<App, 'commandLine'>): boolean {
  return !app.commandLine.hasSwitch('no-sandbox')
}
