import type { ContextMenuParams, MenuItemConstructorOptions, WebContents } from 'electron'
import { texts } from '#/main/texts'
import { shortened } from '#/shared/graphemes'

/** Number of corrections offered for a misspelled word. */
const SUGGESTIONS = 5
/** Number of characters of the selection shown in its 'Look Up' item. */
const LOOK_UP_LENGTH = 25

const { contextMenu } = texts

const separator: MenuItemConstructorOptions = { type: 'separator' }

/** The part of Electron's `context-menu` parameters that the menu depends on. */
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
  | 'srcURL'
  | 'linkURL'
>

export interface ContextMenuActions {
  replaceMisspelling(word: string): void
  addToDictionary(word: string): void
  /** macOS: shows the definition of the selection. */
  lookUp(): void
  copyImageAt(x: number, y: number): void
  savePicture(url: string): void
  copyText(text: string): void
}

function spelling(target: ContextTarget, actions: ContextMenuActions): MenuItemConstructorOptions[] {
  const { misspelledWord, dictionarySuggestions } = target
  if (misspelledWord === '') return []
  const suggestions = dictionarySuggestions.slice(0, SUGGESTIONS)
  return [
    ...(suggestions.length === 0
      ? [{ label: contextMenu.noSuggestions, enabled: false }]
      : suggestions.map((word) => ({ label: word, click: () => actions.replaceMisspelling(word) }))),
    { label: contextMenu.addToDictionary, click: () => actions.addToDictionary(misspelledWord) },
  ]
}

function lookUp(
  selectionText: string,
  platform: NodeJS.Platform,
  actions: ContextMenuActions,
): MenuItemConstructorOptions[] {
  const text = selectionText.trim().replace(/\s+/g, ' ')
  if (platform !== 'darwin' || text === '') return []
  return [{ label: contextMenu.lookUp(shortened(text, LOOK_UP_LENGTH)), click: actions.lookUp }]
}

function editing({ editFlags }: ContextTarget): MenuItemConstructorOptions[][] {
  return [
    [
      { role: 'undo', enabled: editFlags.canUndo },
      { role: 'redo', enabled: editFlags.canRedo },
    ],
    [
      { role: 'cut', enabled: editFlags.canCut },
      { role: 'copy', enabled: editFlags.canCopy },
      { role: 'paste', enabled: editFlags.canPaste },
      { role: 'pasteAndMatchStyle', enabled: editFlags.canPaste },
    ],
    [{ role: 'selectAll', enabled: editFlags.canSelectAll }],
  ]
}

function picture(target: ContextTarget, actions: ContextMenuActions): MenuItemConstructorOptions[] {
  const { mediaType, hasImageContents, srcURL, x, y } = target
  if (mediaType !== 'image' || !hasImageContents) return []
  return [
    { label: contextMenu.copyImage, click: () => actions.copyImageAt(x, y) },
    // Chromium omits data URLs above 2 MB.
    ...(srcURL === '' ? [] : [{ label: contextMenu.saveImage, click: () => actions.savePicture(srcURL) }]),
  ]
}

/** The menu items for a click target, grouped as in browsers. Empty if nothing applies. */
export function contextMenuTemplate(
  target: ContextTarget,
  platform: NodeJS.Platform,
  actions: ContextMenuActions,
): MenuItemConstructorOptions[] {
  const { isEditable, selectionText, linkURL } = target
  const groups: MenuItemConstructorOptions[][] = isEditable
    ? [spelling(target, actions), lookUp(selectionText, platform, actions), ...editing(target)]
    : [
        lookUp(selectionText, platform, actions),
        selectionText.trim() === '' ? [] : [{ role: 'copy' }],
        picture(target, actions),
        // Links within the app do not work outside it.
        /^https?:/.test(linkURL)
          ? [{ label: contextMenu.copyLink, click: () => actions.copyText(linkURL) }]
          : [],
      ]
  return groups
    .filter((group) => group.length > 0)
    .flatMap((group, index) => (index === 0 ? group : [separator, ...group]))
}

type Contents = Pick<WebContents, 'on' | 'replaceMisspelling' | 'copyImageAt' | 'showDefinitionForSelection'>

export interface ContextMenuParts
  extends Pick<ContextMenuActions, 'addToDictionary' | 'copyText' | 'savePicture'> {
  platform: NodeJS.Platform
  popup(template: MenuItemConstructorOptions[]): void
}

/** Shows the context menu, unless the page showed its own menu. */
export function setupContextMenu(contents: Contents, { popup, platform, ...parts }: ContextMenuParts): void {
  const actions: ContextMenuActions = {
    ...parts,
    replaceMisspelling: (word) => contents.replaceMisspelling(word),
    lookUp: () => contents.showDefinitionForSelection(),
    copyImageAt: (x, y) => contents.copyImageAt(x, y),
  }
  contents.on('context-menu', (_event, target) => {
    const template = contextMenuTemplate(target, platform, actions)
    if (template.length > 0) popup(template)
  })
}
