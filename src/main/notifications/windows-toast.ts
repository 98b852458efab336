import { texts } from '#/main/texts'
import { type AppRoute, routeLink } from '#/shared/routes'
import type { NotificationContent } from './notification-policy'

/** Characters that XML 1.0 cannot represent: control characters, lone surrogates and the like. */
const NOT_IN_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

function escaped(text: string): string {
  return text.replace(NOT_IN_XML, '').replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}

interface ToastDetails {
  /** The route and the notice id, as created by `idFor`. */
  id: string
  /** File URL of the sender's picture. */
  picture: string | null
}

/**
 * A notification as toast XML (Toast content schema). A click opens a deep link, which works from the notification
 * centre, after a restart, and while the app does not run. Electron's generated XML would identify the notification by
 * a hash that is only valid during this run.
 */
export function toastXml({ title, body, route }: NotificationContent, { id, picture }: ToastDetails): string {
  const lines = [title, body].filter((line) => line !== '').map((line) => `<text>${escaped(line)}</text>`)
  const image =
    picture === null
      ? ''
      : `<image placement="appLogoOverride" hint-crop="circle" src="${escaped(picture)}"/>`
  return [
    `<toast activationType="protocol" launch="${escaped(routeLink(route))}">`,
    `<visual><binding template="ToastGeneric">${lines.join('')}${image}</binding></visual>`,
    route.page === 'conversation' ? conversationXml(title, route, id) : '',
    '</toast>',
  ].join('')
}

/**
 * The header that groups a conversation, a reply input, and 'Mark as read'. Electron reads `type` from the arguments
 * and passes all of them on, also when an action starts the app, so they include the notification id.
 */
function conversationXml(title: string, route: AppRoute & { page: 'conversation' }, id: string): string {
  const { reply, send, markAsRead } = texts.notices
  const action = (type: string, content: string, rest = '') =>
    `<action activationType="foreground" arguments="${escaped(`${type}&about=${encodeURIComponent(id)}`)}" content="${escaped(content)}"${rest}/>`
  return [
    `<header id="${route.id}" title="${escaped(title)}" activationType="protocol" arguments="${escaped(routeLink(route))}"/>`,
    '<actions>',
    `<input id="reply" type="text" placeHolderContent="${escaped(reply)}"/>`,
    action('type=reply', send, ' hint-inputId="reply"'),
    action('type=action&action=0', markAsRead),
    '</actions>',
  ].join('')
}
