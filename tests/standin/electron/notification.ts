import { EventEmitter } from 'node:events'
import type { NotificationConstructorOptions, Notification as RealNotification } from 'electron'
import { knowsOnly, requireReady, strictClass, type Unknown } from './life'
import { record } from './record'

const shown: StandinNotification[] = []

class StandinNotification extends EventEmitter {
  readonly id: string
  readonly title: string
  readonly body: string
  readonly toastXml: string

  constructor(options: NotificationConstructorOptions = {}) {
    super()
    requireReady('Notification')
    this.id = options.id ?? `random-${shown.length}`
    this.title = options.title ?? ''
    this.body = options.body ?? ''
    this.toastXml = options.toastXml ?? ''
  }

  static isSupported(): boolean {
    return true
  }

  static async getHistory(): Promise<StandinNotification[]> {
    return []
  }

  static handleActivation(_callback: unknown): void {}

  show(): void {
    shown.push(this)
    const { id, title, body, toastXml } = this
    record.notifications.push({ id, title, body, toastXml })
  }
}

knowsOnly<Unknown<StandinNotification, RealNotification>>()
knowsOnly<Unknown<typeof StandinNotification, typeof RealNotification>>()

/** Clicks the notification that was shown last. */
export function clickNotification(): void {
  const last = shown.at(-1)
  if (last === undefined) throw new Error('no notification was shown')
  last.emit('click', { preventDefault: () => undefined })
}

export const Notification = strictClass('Notification', StandinNotification)
