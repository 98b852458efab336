import type { ContextMenuParams, MenuItemConstructorOptions, WebContents } from 'electron'
import { texts } from './texts'

/** Corrections offered for a misspelled word. */
const SUGGESTIONS = 5

const { contextMenu } = texts

const separator: MenuItemConstructorOptions = { type: 'separator' }

/** What a press of the other mouse button was on. */
export type ContextTarget = Pick<
  ContextMenuParams,
  | 'x'
  | 'y'
  | 'isEditable'
  | 'editFlags'
  | 'selectionText'
  | 'misspelledWord'
  | 'dictionarySuggestions'
  | 'mediaType'
  | 'hasImageContents'
  | 'linkURL'
>

export interface ContextMenuActions {
  replaceMisspelling(word: string): void
  addToDictionary(word: string): void
  copyImageAt(x: number, y: number): void
  copyText(text: string): void
}

function spelling(target: ContextTarget, actions: ContextMenuActions): MenuItemConstructorOptions[] {
  const { misspelledWord, dictionarySuggestions } = target
  if (misspelledWord === '') return []
  return [
    ...dictionarySuggestions
      .slice(0, SUGGESTIONS)
      .map((word) => ({ label: word, click: () => actions.replaceMisspelling(word) })),
    { label: contextMenu.addToDictionary, click: () => actions.addToDictionary(misspelledWord) },
    separator,
  ]
}

function editing({ editFlags }: ContextTarget): MenuItemConstructorOptions[] {
  return [
    { role: 'cut', enabled: editFlags.canCut },
    { role: 'copy', enabled: editFlags.canCopy },
    { role: 'paste', enabled: editFlags.canPaste },
    separator,
    { role: 'selectAll', enabled: editFlags.canSelectAll },
  ]
}

/** What the menu holds for a place in the page; nothing where there is nothing to do. */
export function contextMenuTemplate(
  target: ContextTarget,
  actions: ContextMenuActions,
): MenuItemConstructorOptions[] {
  if (target.isEditable) return [...spelling(target, actions), ...editing(target)]
  const items: MenuItemConstructorOptions[] = []
  if (target.selectionText.trim() !== '') items.push({ role: 'copy' })
  if (target.mediaType === 'image' && target.hasImageContents) {
    items.push({ label: contextMenu.copyImage, click: () => actions.copyImageAt(target.x, target.y) })
  }
  // Links within the app lead nowhere outside it.
  if (/^https?:/.test(target.linkURL)) {
    items.push({ label: contextMenu.copyLink, click: () => actions.copyText(target.linkURL) })
  }
  return items
}

type Contents = Pick<WebContents, 'on' | 'replaceMisspelling' | 'copyImageAt'>

export interface ContextMenuParts extends Pick<ContextMenuActions, 'addToDictionary' | 'copyText'> {
  popup(template: MenuItemConstructorOptions[]): void
}

/** The menu that every desktop app has under the other mouse button; a page that has one of its own there prevents it. */
export function setupContextMenu(contents: Contents, { popup, ...parts }: ContextMenuParts): void {
  const actions: ContextMenuActions = {
    ...parts,
    replaceMisspelling: (word) => contents.replaceMisspelling(word),
    copyImageAt: (x, y) => contents.copyImageAt(x, y),
  }
  contents.on('context-menu', (_event, target) => {
    const template = contextMenuTemplate(target, actions)
    if (template.length > 0) popup(template)
  })
}
