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
export function insertText(area: HTMLTextAreaElement, text: string, start: number, end: number): void {
  area.focus({ preventScroll: true })
  area.setSelectionRange(start, end)
  // Deprecated, but no other call enters the browser's list of changes.
  if (document.execCommand('insertText', false, text)) return
  area.setRangeText(text, start, end, 'end')
  area.dispatchEvent(new Event('input', { bubbles: true }))
}
