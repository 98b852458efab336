import { createRequire } from 'node:module'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ComponentProps, ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router-dom'
import type { StateCreator, StoreApi } from 'zustand'
import type { ConfirmDialog } from '#/renderer/components/ConfirmDialog'
import type { Dialog } from '#/renderer/components/Dialog'
import { begin, clearStates, endDrawing, startDrawing } from './page-hooks'

export { withHooks } from './page-hooks'

// Not imported, and no JSX here: test files replace both with what this file gives.
const { createElement: h }: typeof import('react') = createRequire(import.meta.url)('react')

/**
 * Draws components to markup, and lets a test press their buttons and send their forms. What they set as their state
 * shows when they are drawn again; effects run each time. A test file replaces what needs a DOM:
 *
 *     vi.mock('react', async (load) => (await import('../page-without-dom')).withHooks(await load()))
 *     vi.mock('react/jsx-dev-runtime', async (load) => (await import('../page-without-dom')).withParts(await load()))
 *     vi.mock('#/renderer/components/Dialog', async () => (await import('../page-without-dom')).dialogs)
 */

// Node has no idle time to wait for: what components do in it stays undone.
Object.assign(globalThis, { requestIdleCallback: () => 0, cancelIdleCallback: () => undefined })

let buttons = new Map<string, () => unknown>()
let fields = new Map<string, (value: string) => unknown>()
let labels = new Map<string, string>()
let submit: (() => unknown) | null = null

interface Props {
  children?: ReactNode
  disabled?: boolean
  'aria-label'?: string
  id?: string
  htmlFor?: string
  onChange?: (event: object) => unknown
  onClick?: (event: object) => unknown
  onSubmit?: (event: object) => unknown
}

/** What a part of a page reads as. */
function textOf(children: unknown): string {
  if (Array.isArray(children)) return children.map(textOf).join('')
  if (typeof children === 'object' && children !== null && 'props' in children)
    return textOf((children.props as Props).children)
  return typeof children === 'string' || typeof children === 'number' ? String(children) : ''
}

const event = { detail: 1, preventDefault: () => undefined, stopPropagation: () => undefined }

function note(type: unknown, { children, disabled, onChange, onClick, onSubmit, ...props }: Props): void {
  if (type === 'label' && props.htmlFor !== undefined) labels.set(props.htmlFor, textOf(children))
  if ((type === 'input' || type === 'textarea' || type === 'select') && onChange !== undefined)
    fields.set(props['aria-label'] ?? labels.get(props.id ?? '') ?? '', (value) =>
      onChange({ ...event, target: { value } }),
    )
  if (type === 'form' && onSubmit !== undefined) submit = () => onSubmit(event)
  if (type === 'button' && onClick !== undefined && disabled !== true)
    buttons.set(props['aria-label'] ?? textOf(children), () => onClick(event))
}

type Component = (props: Props) => ReactNode

function isComponent(type: unknown): type is Component {
  return typeof type === 'function' && type.prototype?.isReactComponent === undefined
}

const keeping = new Map<Component, Component>()

function withStates(component: Component): Component {
  const known = keeping.get(component)
  if (known !== undefined) return known
  const kept: Component = (props) => {
    begin(component)
    return component(props)
  }
  keeping.set(component, kept)
  return kept
}

type Jsx = (type: unknown, props: Props, ...rest: unknown[]) => unknown

/** The runtime of JSX, which notes the buttons, the fields and the form that are drawn. */
export function withParts({ jsxDEV, ...rest }: { jsxDEV: Jsx }): object {
  const noting: Jsx = (type, props, ...others) => {
    note(type, props)
    return jsxDEV(isComponent(type) ? withStates(type) : type, props, ...others)
  }
  return { ...rest, jsxDEV: noting }
}

/** Dialogs where they are asked for: Radix draws them only into a document. */
export const dialogs = {
  Dialog: ({ title, description, children }: ComponentProps<typeof Dialog>) =>
    h('dialog', { 'aria-label': title }, description, children),
  ConfirmDialog: ({ title, body, action, onConfirm, onCancel }: ComponentProps<typeof ConfirmDialog>) => {
    buttons.set(`${title} ${action}`, onConfirm)
    buttons.set(`${title} Cancel`, onCancel)
    return h('dialog', { 'aria-label': title }, body)
  },
}

/** zustand whose stores are drawn as they are: by itself it draws what they began with. */
export function withStores({ createStore }: typeof import('zustand')): object {
  return {
    create: <S>(begin: StateCreator<S>) => {
      const store: StoreApi<S> = createStore(begin)
      const use = (select: (state: S) => unknown = (state) => state) => select(store.getState())
      return Object.assign(use, store)
    },
  }
}

/** Begins a new page: nothing is drawn, and nothing has a state. */
export function clearPage(): void {
  clearStates()
  buttons = new Map()
}

/** The markup of a component now; the same one each time, until the page is cleared. */
export function draw(element: ReactNode, client: QueryClient = new QueryClient()): string {
  startDrawing()
  buttons = new Map()
  fields = new Map()
  labels = new Map()
  submit = null
  const markup = renderToStaticMarkup(h(QueryClientProvider, { client }, h(MemoryRouter, null, element)))
  endDrawing()
  return markup
}

/** `draw` as it reads: without tags, and with its names and placeholders. */
export function read(element: ReactNode, client?: QueryClient): string {
  return draw(element, client)
    .replaceAll(/<[^>]*?(?:aria-label|placeholder|title|alt)="([^"]*)"[^>]*>/g, ' $1 ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replaceAll(/\s+/g, ' ')
}

function Caller({ useHook }: { useHook: () => void }) {
  useHook()
  return null
}

/** What a hook gives to a component that calls it for the first time. */
export function callHook<T>(useHook: () => T, client?: QueryClient): T {
  clearPage()
  const results: T[] = []
  draw(h(Caller, { useHook: () => void results.push(useHook()) }), client)
  const [first] = results
  if (results.length === 0) throw new Error('The hook was not called')
  return first as T
}

/** Presses a button of what was drawn last; one of a question has the question's title before its name. */
export function press(name: string): void {
  const act = buttons.get(name)
  if (act === undefined) throw new Error(`No button ${name}; there are: ${[...buttons.keys()].join(', ')}`)
  act()
}

/** Writes into a field of what was drawn last. */
export function fill(label: string, value: string): void {
  const change = fields.get(label)
  if (change === undefined) throw new Error(`No field ${label}; there are: ${[...fields.keys()].join(', ')}`)
  change(value)
}

/** Sends the form of what was drawn last. */
export function send(): void {
  if (submit === null) throw new Error('There is no form')
  submit()
}
