import type { ClipboardEvent } from 'react'
import { texts } from './texts'
import { showToast } from './toasts'

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

type TextField = HTMLTextAreaElement | HTMLInputElement

/** Replaces a part of a text as typing does, so that undo removes it. Reports it with an input event. */
export function insertText(area: TextField, text: string, start: number, end: number): void {
  area.focus({ preventScroll: true })
  area.setSelectionRange(start, end)
  // Deprecated, but no other call enters the browser's list of changes.
  if (document.execCommand('insertText', false, text)) return
  area.setRangeText(text, start, end, 'end')
  area.dispatchEvent(new Event('input', { bubbles: true }))
}

/** A pasted text is cut at this multiple of the field's limit: a page with a million characters in a field hardly answers. */
const PASTED = 10

/** Handles a paste into a field with this limit, in characters: cuts a far too long text, and says so. */
export function cutPaste(limit: number) {
  return (event: ClipboardEvent<TextField>) => {
    const text = event.clipboardData.getData('text/plain')
    const most = limit * PASTED
    // No character has more than two code units.
    const characters = [...text.slice(0, 2 * (most + 1))]
    if (characters.length <= most) return
    event.preventDefault()
    const { currentTarget: field } = event
    if (field.readOnly) return
    insertText(
      field,
      characters.slice(0, most).join(''),
      field.selectionStart ?? field.value.length,
      field.selectionEnd ?? field.value.length,
    )
    showToast({ text: texts.pasteCut })
  }
}
