import type { Message } from './message'

/** What one can do with a message of the open conversation. */
export interface MessageActions {
  /** Opens the message's menu at a point of the window. */
  openMenu: (message: Message, x: number, y: number) => void
  /** Brings a message into view, reading older ones if it is above all that was read. */
  show: (id: string) => void
}
