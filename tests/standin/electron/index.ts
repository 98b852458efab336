/**
 * A stand-in for Electron's main process modules, enough to run the built main bundle in plain Node. It is strict:
 * unknown names throw, Electron's checks apply, and its names are type-checked against Electron's types.
 */
import { join } from 'node:path'
import { app } from './app'
import { BrowserWindow } from './browser-window'
import { driver } from './driver'
import { ipcMain } from './ipc-main'
import { strict } from './life'
import { Menu, Tray } from './menu'
import { nativeImage } from './native-image'
import { becomePlatform, Notification } from './notification'
import { pageQuestions } from './pages'
import { protocol } from './protocol'
import { safeStorage } from './safe-storage'
import { screen } from './screen'
import { session } from './session'
import { clipboard, crashReporter, dialog, nativeTheme, net, powerMonitor, shell } from './system'
import { listenToTest, serveTest } from './test-wire'
import { utilityProcess } from './utility-process'

serveTest(driver)
serveTest(pageQuestions)
listenToTest()
const { STANDIN_PLATFORM: platform } = process.env
// Simulates another platform; paths stay those of this machine.
if (platform !== undefined) Object.defineProperty(process, 'platform', { value: platform })
becomePlatform(process.platform)
// Where the app's program is said to be.
const { STANDIN_PROGRAM: program = process.execPath } = process.env
Object.defineProperty(process, 'execPath', { value: program })
// Electron's property of `process`.
Object.defineProperty(process, 'resourcesPath', {
  value: process.env.STANDIN_RESOURCES ?? join(process.cwd(), 'out'),
})

const electron = {
  app,
  BrowserWindow,
  clipboard,
  crashReporter,
  dialog,
  ipcMain,
  Menu,
  nativeImage,
  nativeTheme,
  net,
  Notification,
  powerMonitor,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
  Tray,
  utilityProcess,
} satisfies { [Name in keyof typeof import('electron')]?: unknown }

export default strict('module', electron)
