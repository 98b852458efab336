import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Rectangle } from 'electron'
import { app } from './app'

const file = () => join(app.getPath('userData'), 'standin-window-places.json')

function readPlaces(): Record<string, Rectangle> {
  return existsSync(file()) ? JSON.parse(readFileSync(file(), 'utf8')) : {}
}

/** Where a named window with `windowStatePersistence` was in an earlier run. */
export function placeOf(options: Electron.BrowserWindowConstructorOptions): Rectangle | undefined {
  const { name, windowStatePersistence } = options
  return name !== undefined && windowStatePersistence === true ? readPlaces()[name] : undefined
}

export function keepPlace(options: Electron.BrowserWindowConstructorOptions, place: Rectangle): void {
  const { name, windowStatePersistence } = options
  if (name === undefined || windowStatePersistence !== true) return
  writeFileSync(file(), JSON.stringify({ ...readPlaces(), [name]: place }))
}
