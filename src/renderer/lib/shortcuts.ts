/** Whether what is typed there is text, so that a letter is no shortcut. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  )
}

/** Shortcuts that go on while their key is held. */
const REPEATABLE: ReadonlySet<string> = new Set(['j', 'k'])

/** How long `g` waits for its second key, in milliseconds. */
const SEQUENCE_MS = 1_200

/**
 * Turns key presses into the names of shortcuts: `j`, `?`, or `g h` for two in a row. Keys with a modifier, and what
 * is typed into a field, are none.
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

/**
 * Runs an action when its shortcut is pressed, as long as no dialog or menu is open. Gives its end.
 * @param actions by the names that `createShortcutReader` gives.
 */
export function listenForShortcuts(actions: Record<string, () => void>): () => void {
  const read = createShortcutReader()
  const handleKey = (event: KeyboardEvent) => {
    if (document.querySelector('[role=dialog],[role=alertdialog],[role=menu]') !== null) return
    const name = read(event) ?? ''
    const action = actions[name]
    // Held down, only what moves repeats: a like would flicker.
    if (action === undefined || (event.repeat && !REPEATABLE.has(name))) return
    event.preventDefault()
    action()
  }
  window.addEventListener('keydown', handleKey)
  return () => window.removeEventListener('keydown', handleKey)
}
