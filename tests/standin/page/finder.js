// Runs in a world of its own in each document; windows.ts injects the source text, so the function must be self-contained.

/**
 * Finds texts as Chromium does for WebContents.findInPage (third_party/blink/renderer/core/editing/finder/text_finder.cc and
 * find_buffer.cc). `window.find` uses the same FindBuffer and lists the matches: it ignores inert and hidden elements, and includes the
 * texts of fields. What TextFinder does besides is done here: it starts at the page's selection, clears it, and takes the focus.
 */
export function createFinder() {
  /** @typedef {{ field: HTMLInputElement | HTMLTextAreaElement | null, range: Range, start: number, end: number }} Match */

  /** The last match, where the next search starts. @type {Match | null} */
  let active = null
  let isListing = false

  // The page must not notice how the matches are listed.
  for (const type of ['focus', 'blur', 'focusin', 'focusout', 'select', 'selectionchange', 'scroll']) {
    const hide = (event) => {
      if (isListing) event.stopImmediatePropagation()
    }
    window.addEventListener(type, hide, { capture: true })
  }

  const isField = (element) =>
    element instanceof HTMLTextAreaElement ||
    (element instanceof HTMLInputElement && /^(text|search|url|tel|email|password)$/.test(element.type))

  /** The selection of the frame: in a focused field its own, otherwise the page's. @returns {Match | null} */
  function selected() {
    const selection = document.getSelection()
    if (selection === null || selection.rangeCount === 0) return null
    const range = selection.getRangeAt(0).cloneRange()
    const field = document.activeElement
    if (!isField(field) || range.startContainer !== field.parentNode) {
      return { field: null, range, start: 0, end: 0 }
    }
    range.selectNode(field)
    return { field, range, start: field.selectionStart ?? 0, end: field.selectionEnd ?? 0 }
  }

  /** Whether a boundary is at or after another one. */
  function isAfter(match, side, other, otherSide) {
    if (match.field !== null && match.field === other.field) return match[side] >= other[otherSide]
    const how = { start: { start: 0, end: 1 }, end: { start: 3, end: 2 } }
    return match.range.compareBoundaryPoints(how[otherSide][side], other.range) >= 0
  }

  /** All matches in the order of the document. @returns {Match[]} */
  function list(text) {
    const selection = document.getSelection()
    const matches = []
    selection?.collapse(document.documentElement, 0)
    while (window.find(text, false, false, false, false, false, false)) {
      const match = selected()
      const last = matches.at(-1)
      // At the end `window.find` may find the last one again.
      if (match === null || (last !== undefined && !isAfter(match, 'start', last, 'end'))) break
      matches.push(match)
    }
    return matches
  }

  /** Lists the matches without a trace in the page. */
  function listUnnoticed(text) {
    const focused = document.activeElement
    const scrolled = [...document.querySelectorAll('*')]
      .filter(({ scrollTop, scrollLeft }) => scrollTop !== 0 || scrollLeft !== 0)
      .map((element) => ({ element, top: element.scrollTop, left: element.scrollLeft }))
    isListing = true
    // A focused field without a selection of the page says 0; afterwards it says where its caret was.
    if (focused instanceof HTMLElement) focused.blur()
    const fields = [...document.querySelectorAll('input, textarea')].filter(isField)
    const carets = fields.map((field) => [field.selectionStart, field.selectionEnd, field.selectionDirection])
    try {
      return list(text)
    } finally {
      fields.forEach((field, index) => {
        if (field.type !== 'email') field.setSelectionRange(...carets[index])
      })
      if (focused instanceof HTMLElement && focused !== document.body) focused.focus({ preventScroll: true })
      else document.activeElement?.blur()
      document.getSelection()?.removeAllRanges()
      for (const { element, top, left } of scrolled) element.scrollTo({ top, left, behavior: 'instant' })
      isListing = false
    }
  }

  function next(matches, { isForward, isNewSession }) {
    const from = active
    if (from === null) return isForward ? 0 : matches.length - 1
    if (isForward) {
      const index = matches.findIndex((match) =>
        isAfter(match, 'start', from, isNewSession ? 'start' : 'end'),
      )
      return index === -1 ? 0 : index
    }
    const index = matches.findLastIndex((match) =>
      isAfter(from, isNewSession ? 'end' : 'start', match, 'end'),
    )
    return index === -1 ? matches.length - 1 : index
  }

  function find(text, options) {
    const selection = selected()
    if (selection !== null) active = selection
    const matches = listUnnoticed(text)
    const index = next(matches, options)
    active = matches[index] ?? null
    if (active === null)
      return { matches: 0, activeMatchOrdinal: 0, selectionArea: { x: 0, y: 0, width: 0, height: 0 } }
    // A search that finds nothing leaves the focus: text_finder.cc calls this only for a match.
    document.activeElement?.blur()
    const element = active.field ?? active.range.startContainer.parentElement
    const { top, bottom } = (active.field ?? active.range).getBoundingClientRect()
    if (top < 0 || bottom > window.innerHeight)
      element?.scrollIntoView({ block: 'center', behavior: 'instant' })
    const { x, y, width, height } = (active.field ?? active.range).getBoundingClientRect()
    return {
      matches: matches.length,
      activeMatchOrdinal: index + 1,
      selectionArea: {
        x: Math.round(x),
        y: Math.round(y),
        width: Math.round(width),
        height: Math.round(height),
      },
    }
  }

  /** SetFindEndstateFocusAndSelection of text_finder.cc. */
  function selectActive() {
    if (active === null || document.getSelection()?.rangeCount !== 0) return
    const { field, range, start, end } = active
    if (field !== null) {
      field.focus()
      field.setSelectionRange(start, end)
      return
    }
    const focusable = range.startContainer.parentElement?.closest(
      'a[href], button:enabled, summary, [tabindex], [contenteditable]',
    )
    if (focusable instanceof HTMLElement) focusable.focus({ preventScroll: true })
    else document.activeElement?.blur()
    const selection = document.getSelection()
    selection?.removeAllRanges()
    selection?.addRange(range)
  }

  function stop(action) {
    if (action === 'keepSelection') selectActive()
    else document.getSelection()?.removeAllRanges()
    active = null
  }

  return { find, stop }
}
