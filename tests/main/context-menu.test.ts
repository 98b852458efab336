import type { WebContents } from 'electron'
import { describe, expect, test } from 'vitest'
import { type ContextTarget, contextMenuTemplate, setupContextMenu } from '#/main/context-menu'

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
  linkURL: '',
}

function menuAt(target: Partial<ContextTarget>) {
  const did: string[] = []
  const template = contextMenuTemplate(
    { ...NOTHING, ...target },
    {
      replaceMisspelling: (word) => did.push(`replace ${word}`),
      addToDictionary: (word) => did.push(`add ${word}`),
      copyImageAt: (x, y) => did.push(`image ${x},${y}`),
      copyText: (text) => did.push(`text ${text}`),
    },
  )
  return {
    did,
    names: template.flatMap(({ label, role }) => label ?? role ?? []),
    enabled: template.filter(({ enabled }) => enabled === true).map(({ role }) => role),
    click: (name: string) => {
      const act = template.find(({ label }) => label === name)?.click as (() => void) | undefined
      act?.()
    },
  }
}

describe('the menu under the other mouse button', () => {
  test('in a field cuts, copies and pastes what can be', () => {
    const menu = menuAt({ isEditable: true })
    expect(menu.names).toEqual(['cut', 'copy', 'paste', 'selectAll'])
    expect(menu.enabled).toEqual(['paste', 'selectAll'])
  })

  test('on a misspelled word offers five corrections and the dictionary', () => {
    const dictionarySuggestions = ['light', 'lights', 'lit', 'limit', 'list', 'lift']
    const menu = menuAt({ isEditable: true, misspelledWord: 'ligth', dictionarySuggestions })
    expect(menu.names.slice(0, 6)).toEqual(['light', 'lights', 'lit', 'limit', 'list', 'Add to Dictionary'])
    menu.click('light')
    menu.click('Add to Dictionary')
    expect(menu.did).toEqual(['replace light', 'add ligth'])
  })

  test('copies chosen words, a picture, and a link that leads outside', () => {
    expect(menuAt({ selectionText: 'some words' }).names).toEqual(['copy'])
    const picture = menuAt({
      mediaType: 'image',
      hasImageContents: true,
      linkURL: 'app://vignette/profile/mara',
    })
    expect(picture.names).toEqual(['Copy Image'])
    picture.click('Copy Image')
    expect(picture.did).toEqual(['image 3,4'])
    const link = menuAt({ linkURL: 'https://example.com/mara' })
    link.click('Copy Link')
    expect(link.did).toEqual(['text https://example.com/mara'])
  })

  test('does not open where there is nothing to do', () => {
    const shown: number[] = []
    let open: (event: unknown, target: ContextTarget) => void = () => {}
    const contents = {
      on: (_name: string, listener: typeof open) => {
        open = listener
      },
      replaceMisspelling: () => {},
      copyImageAt: () => {},
    } as unknown as WebContents
    setupContextMenu(contents, {
      popup: (template) => shown.push(template.length),
      addToDictionary: () => {},
      copyText: () => {},
    })
    open({}, { ...NOTHING, selectionText: ' ' })
    expect(shown).toEqual([])
    open({}, { ...NOTHING, isEditable: true })
    expect(shown).toEqual([5])
  })
})
