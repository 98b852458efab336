import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createShortcutReader } from '#/renderer/lib/browser/shortcuts'

/** The part of an element that the reader uses. */
class FakeElement {
  constructor(
    readonly tagName: string,
    readonly isContentEditable = false,
  ) {}
}

const BODY = new FakeElement('BODY')

interface Press {
  timeStamp?: number
  target?: FakeElement
  ctrlKey?: boolean
  metaKey?: boolean
  altKey?: boolean
  shiftKey?: boolean
  isComposing?: boolean
}

function press(key: string, { target = BODY, ...rest }: Press = {}): KeyboardEvent {
  const none = { ctrlKey: false, metaKey: false, altKey: false, isComposing: false, timeStamp: 0 }
  return { ...none, key, target, ...rest } as unknown as KeyboardEvent
}

describe('shortcut names of key presses', () => {
  beforeEach(() => {
    vi.stubGlobal('HTMLElement', FakeElement)
  })
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  test('a key is named by the character it types', () => {
    const read = createShortcutReader()
    expect(read(press('j'))).toBe('j')
    expect(read(press('?', { shiftKey: true }))).toBe('?')
  })

  test('g waits for a second key', () => {
    const read = createShortcutReader()
    expect(read(press('g', { timeStamp: 0 }))).toBeNull()
    expect(read(press('h', { timeStamp: 1_200 }))).toBe('g h')
    expect(read(press('h', { timeStamp: 1_300 }))).toBe('h')
  })

  test('g no longer counts after a timeout', () => {
    const read = createShortcutReader()
    read(press('g', { timeStamp: 0 }))
    expect(read(press('h', { timeStamp: 1_201 }))).toBe('h')
  })

  test.each(['ctrlKey', 'metaKey', 'altKey', 'isComposing'] as const)(
    'a key with %s triggers no shortcut',
    (modifier) => {
      expect(createShortcutReader()(press('n', { [modifier]: true }))).toBeNull()
    },
  )

  test.each(['INPUT', 'TEXTAREA', 'SELECT'])('a key typed into %s triggers no shortcut', (tagName) => {
    expect(createShortcutReader()(press('n', { target: new FakeElement(tagName) }))).toBeNull()
  })

  test('a key typed into editable text triggers no shortcut', () => {
    expect(createShortcutReader()(press('n', { target: new FakeElement('DIV', true) }))).toBeNull()
  })
})
