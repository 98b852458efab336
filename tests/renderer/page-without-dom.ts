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

// Neither import React nor use JSX here: test files mock both with the functions of this file.
const { createElement: h }: typeof import('react') = createRequire(import.meta.url)('react')

/**
 * Renders components to markup, and lets a test press their buttons and submit their forms. New state shows in the next
 * render; effects run in every render. A test file mocks the modules that need a DOM:
 *
 *     vi.mock('react', async (load) => (await import('../page-without-dom')).withHooks(await load()))
 *     vi.mock('react/jsx-dev-runtime', async (load) => (await import('../page-without-dom')).withParts(await load()))
 *     vi.mock('#/renderer/components/Dialog', async () => (await import('../page-without-dom')).dialogs)
 */

// Idle callbacks never run.
Object.assign(globalThis, { requestIdleCallback: () => 0, cancelIdleCallback: () => undefined })

let buttons = new Map<string, () => unknown>()
let fields = new Map<string, (value: string) => unknown>()
let labels = new Map<string, string>()
let switches = new Map<string, () => unknown>()
let submit: (() => unknown) | null = null

interface Props {
  children?: ReactNode
  disabled?: boolean
  'aria-label'?: string
  id?: string
  /** Of Radix's Switch. */
  checked?: boolean
  onCheckedChange?: (isOn: boolean) => unknown
  htmlFor?: string
  onChange?: (event: object) => unknown
  onClick?: (event: object) => unknown
  onSubmit?: (event: object) => unknown
}

/** The text content of rendered children. */
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
  const { checked, onCheckedChange } = props
  if (onCheckedChange !== undefined)
    switches.set(labels.get(props.id ?? '') ?? '', () => onCheckedChange(checked !== true))
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

/** Wraps the JSX runtime to record the rendered buttons, fields and form. */
export function withParts({ jsxDEV, ...rest }: { jsxDEV: Jsx }): object {
  const noting: Jsx = (type, props, ...others) => {
    note(type, props)
    return jsxDEV(isComponent(type) ? withStates(type) : type, props, ...others)
  }
  return { ...rest, jsxDEV: noting }
}

/** Renders dialogs in place, because Radix renders them only into a document. */
export const dialogs = {
  Dialog: ({ title, description, children }: ComponentProps<typeof Dialog>) =>
    h('dialog', { 'aria-label': title }, description, children),
  ConfirmDialog: ({
    title,
    body,
    children,
    action,
    onConfirm,
    onCancel,
  }: ComponentProps<typeof ConfirmDialog>) => {
    buttons.set(`${title} ${action}`, onConfirm)
    buttons.set(`${title} Cancel`, onCancel)
    return h('dialog', { 'aria-label': title }, body, children)
  },
}

/** zustand with stores that render their current state; on a server, it would render the initial one. */
export function withStores({ createStore }: typeof import('zustand')): object {
  return {
    create: <S>(begin: StateCreator<S>) => {
      const store: StoreApi<S> = createStore(begin)
      const use = (select: (state: S) => unknown = (state) => state) => select(store.getState())
      return Object.assign(use, store)
    },
  }
}

/** Starts a new page without state and without buttons. */
export function clearPage(): void {
  clearStates()
  buttons = new Map()
}

/** Renders a component with its current state. Until `clearPage`, components keep their states. */
export function draw(element: ReactNode, client: QueryClient = new QueryClient()): string {
  startDrawing()
  buttons = new Map()
  fields = new Map()
  switches = new Map()
  labels = new Map()
  submit = null
  const markup = renderToStaticMarkup(h(QueryClientProvider, { client }, h(MemoryRouter, null, element)))
  endDrawing()
  return markup
}

/** The text of `draw`: without tags, but with accessible names and placeholders. */
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

/** Returns the result of a hook in a component's first render. */
export function callHook<T>(useHook: () => T, client?: QueryClient): T {
  clearPage()
  const results: T[] = []
  draw(h(Caller, { useHook: () => void results.push(useHook()) }), client)
  const [first] = results
  if (results.length === 0) throw new Error('The hook was not called')
  return first as T
}

/**
 * Presses a button of the last render. The name of a button in a confirmation dialog starts with the title of the
 * dialog.
 */
export function press(name: string): void {
  const act = buttons.get(name)
  if (act === undefined) throw new Error(`No button ${name}; there are: ${[...buttons.keys()].join(', ')}`)
  act()
}

/** Turns a switch of the last render on or off. */
export function toggle(label: string): void {
  const act = switches.get(label)
  if (act === undefined) throw new Error(`No switch ${label}; there are: ${[...switches.keys()].join(', ')}`)
  act()
}

/** Types into a field of the last render. */
export function fill(label: string, value: string): void {
  const change = fields.get(label)
  if (change === undefined) throw new Error(`No field ${label}; there are: ${[...fields.keys()].join(', ')}`)
  change(value)
}

/** Submits the form of the last render. */
export function send(): void {
  if (submit === null) throw new Error('There is no form')
  submit()
}
