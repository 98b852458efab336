import type { Menu, MenuItemConstructorOptions, NativeImage, Tray } from 'electron'
import type { Log } from '#/main/log'
import { texts } from '#/main/texts'
import { badgeLabel } from '#/shared/badge'
import type { AppRoute } from '#/shared/routes'

export interface TrayParts {
  platform: NodeJS.Platform
  create(image: NativeImage | string): TrayIcon
  buildMenu(template: MenuItemConstructorOptions[]): Menu
  /** The icon, with a dot if there are unread items. */
  image(hasUnread: boolean): NativeImage | string
  show(): void
  open(route: AppRoute): void
  quit(): void
  log: Pick<Log, 'warn'>
}

type TrayIcon = Pick<Tray, 'on' | 'setContextMenu' | 'setToolTip' | 'setImage' | 'setTitle'>

export interface AppTray {
  /** Whether the icon exists. Without it a hidden window could not be opened again. */
  isAvailable(): boolean
  setUnread(unread: number): void
}

/** Used before the tray is created, and on systems without one. */
export const NO_TRAY: AppTray = { isAvailable: () => false, setUnread: () => undefined }

export function trayMenu(
  unread: number,
  { show, open, quit }: Pick<TrayParts, 'show' | 'open' | 'quit'>,
): MenuItemConstructorOptions[] {
  const label = unread === 0 ? texts.tray.open : texts.tray.openUnread(badgeLabel(unread))
  return [
    { label, click: show },
    { type: 'separator' },
    { label: texts.tray.messages, click: () => open({ page: 'messages' }) },
    { label: texts.tray.newPost, click: () => open({ page: 'create' }) },
    { type: 'separator' },
    { label: texts.tray.quit, click: quit },
  ]
}

/** The icon in the tray or macOS menu bar, with the unread count and a menu. */
export function createTray(parts: TrayParts): AppTray {
  const { platform, log } = parts
  let icon: TrayIcon
  try {
    icon = parts.create(parts.image(false))
  } catch (cause) {
    log.warn('could not create the tray icon', cause)
    return NO_TRAY
  }
  const update = (unread: number) => {
    icon.setToolTip(
      unread === 0 ? texts.product : `${texts.product} · ${texts.tray.unread(badgeLabel(unread))}`,
    )
    if (platform === 'darwin') icon.setTitle(unread === 0 ? '' : badgeLabel(unread))
    else icon.setImage(parts.image(unread > 0))
    // Linux shows menu changes only after setContextMenu.
    icon.setContextMenu(parts.buildMenu(trayMenu(unread, parts)))
  }
  // macOS opens the menu on click.
  if (platform !== 'darwin') icon.on('click', parts.show)
  update(0)
  return { isAvailable: () => true, setUnread: update }
}
