import type { WebContents } from 'electron'
import { describe, expect, test } from 'vitest'
import { type ContextTarget, contextMenuTemplate, setupContextMenu } from '#/main/menus/context-menu'

const NOTHING: ContextTarget = {
  x: 3,
  y: 4,
  isEditable: false,
  editFlags: {
    canUndo: false,
    canRedo: false,
    canCut: false,
    canCopy: false,
    canPaste: true,
    canDelete: false,
    canSelectAll: true,
    canEditRichly: false,
  },
  selectionText: '',
  misspelledWord: '',
  dictionarySuggestions: [],
  mediaType: 'none',
  hasImageContents: false,
  srcURL: '',
  linkURL: '',
}

function menuAt(target: Partial<ContextTarget>, platform: NodeJS.Platform = 'linux') {
  const did: string[] = []
  const template = contextMenuTemplate({ ...NOTHING, ...target }, platform, {
    replaceMisspelling: (word) => did.push(`replace ${word}`),
    addToDictionary: (word) => did.push(`add ${word}`),
    lookUp: () => did.push('look up'),
    copyImageAt: (x, y) => did.push(`image ${x},${y}`),
    savePicture: (url) => did.push(`save ${url}`),
    copyText: (text) => did.push(`text ${text}`),
  })
  return {
    did,
    types: template.map(({ type }) => type ?? 'entry'),
    names: template.flatMap(({ label, role }) => label ?? role ?? []),
    enabled: template.filter(({ enabled }) => enabled === true).map(({ role }) => role),
    click: (name: string) => {
      const act = template.find(({ label }) => label === name)?.click as (() => void) | undefined
      act?.()
    },
  }
}

describe('the context menu', () => {
  test('DESK-12 in a field has undo, cut, copy and paste as far as the field allows', () => {
    const menu = menuAt({ isEditable: true })
    expect(menu.names).toEqual(['undo', 'redo', 'cut', 'copy', 'paste', 'pasteAndMatchStyle', 'selectAll'])
    expect(menu.enabled).toEqual(['paste', 'pasteAndMatchStyle', 'selectAll'])
    const editFlags = { ...NOTHING.editFlags, canUndo: true, canRedo: true, canCut: true, canCopy: true }
    expect(menuAt({ isEditable: true, editFlags }).enabled).toEqual(menu.names)
  })

  test('on a misspelled word offers five corrections and the dictionary', () => {
    const dictionarySuggestions = ['light', 'lights', 'lit', 'limit', 'list', 'lift']
    const menu = menuAt({ isEditable: true, misspelledWord: 'ligth', dictionarySuggestions })
    expect(menu.names.slice(0, 6)).toEqual(['light', 'lights', 'lit', 'limit', 'list', 'Add to Dictionary'])
    menu.click('light')
    menu.click('Add to Dictionary')
    expect(menu.did).toEqual(['replace light', 'add ligth'])
    const unknown = menuAt({ isEditable: true, misspelledWord: 'xqzt' })
    expect(unknown.names.slice(0, 2)).toEqual(['No Suggestions', 'Add to Dictionary'])
  })

  test('DESK-12 has Look Up on macOS only, with a short label', () => {
    const menu = menuAt({ selectionText: ' first\nlight ' }, 'darwin')
    expect(menu.names).toEqual(['Look Up “first light”', 'copy'])
    menu.click('Look Up “first light”')
    expect(menu.did).toEqual(['look up'])
    expect(menuAt({ isEditable: true, selectionText: 'light' }, 'darwin').names[0]).toBe('Look Up “light”')
    const long = menuAt({ selectionText: 'a'.repeat(300) }, 'darwin')
    expect(long.names[0]).toBe(`Look Up “${'a'.repeat(25)}…”`)
    expect(menuAt({ isEditable: true }, 'darwin').names[0]).toBe('undo')
    expect(menuAt({ selectionText: 'light' }, 'win32').names).toEqual(['copy'])
  })

  test('DESK-12 copies selected text, copies and saves a picture, and copies an external link', () => {
    expect(menuAt({ selectionText: 'some words' }).names).toEqual(['copy'])
    const picture = menuAt({
      mediaType: 'image',
      hasImageContents: true,
      linkURL: 'app://vignette/profile/mara',
      srcURL: 'data:image/webp;base64,AAAA',
    })
    expect(picture.names).toEqual(['Copy Picture', 'Save Picture As…'])
    picture.click('Copy Picture')
    picture.click('Save Picture As…')
    expect(picture.did).toEqual(['image 3,4', 'save data:image/webp;base64,AAAA'])
    // Chromium omits the URL if it is very long.
    expect(menuAt({ mediaType: 'image', hasImageContents: true }).names).toEqual(['Copy Picture'])
    const link = menuAt({ linkURL: 'https://example.com/mara' })
    link.click('Copy Link')
    expect(link.did).toEqual(['text https://example.com/mara'])
  })

  test('separates its groups, without separators at the ends', () => {
    for (const target of [
      { isEditable: true, misspelledWord: 'ligth', dictionarySuggestions: ['light'] },
      { selectionText: 'light', linkURL: 'https://example.com/', mediaType: 'image', hasImageContents: true },
    ] satisfies Partial<ContextTarget>[]) {
      const types = menuAt(target, 'darwin').types
      expect(types).toContain('separator')
      expect([types[0], types.at(-1)]).not.toContain('separator')
      expect(types.join(' ')).not.toContain('separator separator')
    }
  })

  test('does not open without items', () => {
    const shown: number[] = []
    let open: (event: unknown, target: ContextTarget) => void = () => {}
    const contents = {
      on: (_name: string, listener: typeof open) => {
        open = listener
      },
      replaceMisspelling: () => {},
      copyImageAt: () => {},
      showDefinitionForSelection: () => {},
    } as unknown as WebContents
    setupContextMenu(contents, {
      platform: 'linux',
      popup: (template) => shown.push(template.length),
      addToDictionary: () => {},
      savePicture: () => {},
      copyText: () => {},
    })
    open({}, { ...NOTHING, selectionText: ' ' })
    expect(shown).toEqual([])
    open({}, { ...NOTHING, isEditable: true })
    expect(shown).toEqual([9])
  })
})
