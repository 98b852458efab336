import { showToast } from '#/renderer/lib/core/toasts'
import { texts } from '#/renderer/lib/texts'

/**
 * Keeps runs of typing whole for undo. React writes `defaultValue` of a text area after each key, and Chromium then ends the
 * run: undo would remove one letter at a time. Nothing reads the property.
 */
export function keepTypingRuns(area: HTMLTextAreaElement | null): void {
  if (area === null) return
  Object.defineProperty(area, 'defaultValue', {
    configurable: true,
    get: () => area.value,
    set: () => undefined,
  })
}

/** Replaces a part of a text as typing does, so that undo removes it. Reports it with an input event. */
export function insertText(
  area: HTMLTextAreaElement | HTMLInputElement,
  text: string,
  start: number,
  end: number,
): void {
  area.focus({ preventScroll: true })
  area.setSelectionRange(start, end)
  // Deprecated, but no other call enters the browser's list of changes.
  if (document.execCommand('insertText', false, text)) return
  area.setRangeText(text, start, end, 'end')
  area.dispatchEvent(new Event('input', { bubbles: true }))
}

/** A pasted text is cut at this multiple of the field's limit: a page with a million characters in a field hardly answers. */
const PASTED = 10
/** The limit of a field that names none, in characters: a search, a name, an address. */
const LINE = 1_000

/**
 * Cuts a far too long text that is pasted into any field of the page, and says so. A field names its limit, in characters, in
 * `data-limit`.
 */
export function cutLongPastes(): void {
  window.addEventListener(
    'paste',
    (event) => {
      const { target: field } = event
      if (!(field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement)) return
      const most = Number(field.dataset.limit ?? LINE) * PASTED
      const text = event.clipboardData?.getData('text/plain') ?? ''
      // No character has more than two code units.
      const characters = [...text.slice(0, 2 * (most + 1))]
      if (characters.length <= most) return
      event.preventDefault()
      if (field.readOnly || field.disabled) return
      // See `insertText`. The caret of an e-mail field is unknown to scripts, and the browser's own needs no telling.
      document.execCommand('insertText', false, characters.slice(0, most).join(''))
      showToast({ text: texts.pasteCut })
    },
    { capture: true },
  )
}
