/** Whether the target accepts text, so that a letter is not a shortcut. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  )
}

/** Shortcuts that repeat while the key is held. */
const REPEATABLE: ReadonlySet<string> = new Set(['j', 'k'])

const SEQUENCE_MS = 1_200

/**
 * Returns a function that maps key presses to shortcut names: `j`, `?`, or `g h` for a sequence. Returns null for keys
 * with a modifier and for text input.
 */
export function createShortcutReader(): (event: KeyboardEvent) => string | null {
  let prefix: { key: string; at: number } | null = null
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isTyping(event.target))
      return null
    const { key, timeStamp } = event
    if (prefix !== null && timeStamp - prefix.at <= SEQUENCE_MS) {
      const name = `${prefix.key} ${key}`
      prefix = null
      return name
    }
    prefix = key === 'g' ? { key, at: timeStamp } : null
    return prefix === null ? key : null
  }
}

/** Whether more dialogs and menus are open than `expected`. */
export const isCovered = (expected = 0) =>
  document.querySelectorAll('[role=dialog],[role=alertdialog],[role=menu]').length > expected

/**
 * Runs the action of a pressed shortcut, unless a dialog or menu is open. Returns an unsubscribe function.
 * @param actions by shortcut name, see `createShortcutReader`
 */
export function listenForShortcuts(actions: Record<string, () => void>): () => void {
  const read = createShortcutReader()
  const handleKey = (event: KeyboardEvent) => {
    if (isCovered()) return
    const name = read(event) ?? ''
    const action = actions[name]
    // Only navigation repeats while a key is held: a like would flicker.
    if (action === undefined || (event.repeat && !REPEATABLE.has(name))) return
    event.preventDefault()
    action()
  }
  window.addEventListener('keydown', handleKey)
  return () => window.removeEventListener('keydown', handleKey)
}

/**
 * Calls back when the member presses the keys that search a page, unless a dialog or menu is open: those take all keys. Returns an
 * unsubscribe function.
 * @param search returns whether there is a search; the browser's own opens otherwise
 */
export function onFindKeys(search: () => boolean): () => void {
  const isMac = navigator.userAgent.includes('Mac')
  const handleKey = (event: KeyboardEvent) => {
    const { ctrlKey, metaKey, altKey, shiftKey } = event
    // On a Mac, Ctrl and F move the caret.
    const isHeld = isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey
    if (event.key.toLowerCase() !== 'f' || !isHeld || altKey || shiftKey || isCovered()) return
    if (search()) event.preventDefault()
  }
  window.addEventListener('keydown', handleKey)
  return () => window.removeEventListener('keydown', handleKey)
}
