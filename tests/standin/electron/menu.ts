import type { MenuItemConstructorOptions, Menu as RealMenu, Tray as RealTray } from 'electron'
import { knowsOnly, requireReady, StandinEmitter, strict, strictClass, type Unknown } from './life'
import { record } from './record'

class StandinMenu {
  readonly items: MenuItemConstructorOptions[]

  constructor(template: MenuItemConstructorOptions[]) {
    this.items = template
  }

  popup(): void {
    contextMenu = this
    record.popups.push(this.items.flatMap(({ label, role }) => label ?? role ?? []))
  }
}

knowsOnly<Unknown<StandinMenu, RealMenu>>()

let applicationMenu: StandinMenu | null = null
let trayMenu: StandinMenu | null = null
let dockMenu: StandinMenu | null = null
/** The latest popup menu. */
let contextMenu: StandinMenu | null = null

export type MenuPlace = 'application' | 'tray' | 'dock' | 'context'

const menuAt = (place: MenuPlace) =>
  ({ application: applicationMenu, tray: trayMenu, dock: dockMenu, context: contextMenu })[place]

/** The Dock menu on macOS. */
export function setDockMenu(menu: object): void {
  dockMenu = menu as StandinMenu
}

const statics = {
  buildFromTemplate: (template: Parameters<typeof RealMenu.buildFromTemplate>[0]) =>
    new StandinMenu(template as MenuItemConstructorOptions[]),
  setApplicationMenu(menu: object | null): void {
    applicationMenu = menu as StandinMenu | null
    record.order.push(menu === null ? 'no menu' : 'menu')
  },
}
knowsOnly<Unknown<typeof statics, typeof RealMenu>>()
export const Menu = strict('Menu', statics)

function entries(items: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] {
  return items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? entries(item.submenu) : [])])
}

/** The labels of a menu's items, or the role if Electron provides the label. */
export function menuLabels(which: MenuPlace): string[] {
  const menu = menuAt(which)
  return entries(menu?.items ?? []).flatMap(({ label, role }) => label ?? role ?? [])
}

/** Clicks the menu item with this label, or this role if Electron provides the label. */
export function clickMenu(which: MenuPlace, label: string, actAs: (role: string) => void): void {
  const menu = menuAt(which)
  const found = entries(menu?.items ?? []).find((item) => (item.label ?? item.role) === label)
  if (found === undefined || found.enabled === false)
    throw new Error(`no entry '${label}' in the ${which} menu`)
  // Electron ignores `click` for items with a role.
  if (found.role !== undefined) actAs(found.role)
  else (found.click as (() => void) | undefined)?.()
}

let theTray: StandinTray | null = null

/** Clicks the tray icon, which opens no menu on Windows and Linux. */
export function clickTray(): void {
  theTray?.emit('click')
}

class StandinTray extends StandinEmitter {
  constructor(image: string) {
    super('Tray')
    requireReady('Tray')
    if (process.env.STANDIN_TRAY === 'none') throw new Error('Failed to create the tray')
    theTray = this
    record.tray = { image, toolTip: '' }
    record.order.push('tray')
  }

  setToolTip(toolTip: string): void {
    record.tray = { image: record.tray?.image ?? '', toolTip }
  }

  setImage(image: Electron.NativeImage | string): void {
    record.tray = { toolTip: record.tray?.toolTip ?? '', image: String(image) }
  }

  setTitle(_title: string): void {}

  setContextMenu(menu: object | null): void {
    trayMenu = menu as StandinMenu | null
  }
}

knowsOnly<Unknown<StandinTray, RealTray>>()

export const Tray = strictClass('Tray', StandinTray)
