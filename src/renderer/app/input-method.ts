/**
 * Keeps the keys of input methods from all handlers of the page: while a text is composed, Enter, Escape and the arrows
 * confirm, cancel and choose there. At the window and in the capture phase, this runs before the handlers of React, and
 * before the dialogs' handlers at the document. Listeners at the window that only note activity still run.
 */
export function keepKeysOfInputMethods(): void {
  window.addEventListener(
    'keydown',
    (event) => {
      if (!isOfInputMethod(event)) return
      event.stopPropagation()
      // Chromium would empty a search field. The input method gets its keys in any case.
      if (event.key === 'Escape') event.preventDefault()
    },
    { capture: true },
  )
}

/** The code of a key that an input method has taken. */
const TAKEN = 229

function isOfInputMethod(event: KeyboardEvent): boolean {
  // The first key of a composition comes before it starts, and Safari reports the last one after it has ended: only
  // the deprecated code tells them from other keys.
  return event.isComposing || event.keyCode === TAKEN
}
