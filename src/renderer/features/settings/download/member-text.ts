import type { Link } from '#/renderer/lib/content/links'
import { splitRichText } from '#/renderer/lib/content/rich-text'
import { webAddress } from '#/renderer/lib/content/web-address'
import { closeDirections } from '#/shared/bidi'
import { html, type Markup } from './html'

/** A name inside a line, in its own direction. */
export function isolated(name: string): Markup {
  return html`<bdi>${closeDirections(name)}</bdi>`
}

function linkTo({ url, shown }: Pick<Link, 'url' | 'shown'>): Markup {
  return html`<a href="${url}" dir="ltr" rel="noreferrer">${shown}</a>`
}

/** A member's text as a paragraph, with the links that the app shows in it. */
export function paragraph(text: string, className = ''): Markup {
  const parts = splitRichText(text).map((part) => (part.kind === 'link' ? linkTo(part) : html`${part.text}`))
  const opening = className === '' ? html`<p dir="auto">` : html`<p dir="auto" class="${className}">`
  return html`${opening}${parts}</p>`
}

/** A member's website: a link, if it is an address that looks like no other. */
export function website(text: string): Markup {
  const link = webAddress(text)
  return html`<p>${link === null ? isolated(text) : linkTo(link)}</p>`
}
