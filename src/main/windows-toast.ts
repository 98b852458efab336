import { routeLink } from '#/shared/routes'
import type { Told } from './notification-policy'

/** Control characters, lone surrogates and the like: XML 1.0 has no way to write them. */
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

/**
 * A notification in Windows' own words (Toast content schema). A click opens a link of the app: Windows does that also
 * out of the notification centre, after a restart, and while the app does not run. What Electron writes by itself names
 * the notification by a hash that leads nowhere once this run is over.
 */
export function toastXml({ title, body, route }: Told): string {
  const lines = [title, body].filter((line) => line !== '').map((line) => `<text>${escaped(line)}</text>`)
  return [
    `<toast activationType="protocol" launch="${escaped(routeLink(route))}">`,
    `<visual><binding template="ToastGeneric">${lines.join('')}</binding></visual>`,
    '</toast>',
  ].join('')
}
