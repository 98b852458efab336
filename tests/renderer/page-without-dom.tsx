import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ComponentProps, ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router-dom'
import type { Button } from '#/renderer/components/Button'
import type { ConfirmDialog } from '#/renderer/components/ConfirmDialog'
import type { Dialog } from '#/renderer/components/Dialog'

/**
 * Draws components to markup, and lets a test press their buttons. What they set as their state shows when they are
 * drawn again; effects run each time. A test file replaces React's hooks and the components that need a DOM:
 *
 *     vi.mock('react', async (load) => ({ ...(await load<object>()), ...(await import('../page-without-dom')).hooks }))
 *     vi.mock('#/renderer/components/Button', async () => (await import('../page-without-dom')).components)
 */

/** The state of all that is drawn, in the order in which it is asked for. */
let states: unknown[] = []
let asked = 0
let buttons = new Map<string, () => unknown>()

export const hooks = {
  useEffect: (effect: () => unknown): void => void effect(),
  useState: (initial: unknown) => {
    const index = asked
    asked += 1
    if (!(index in states)) states[index] = typeof initial === 'function' ? initial() : initial
    const set = (next: unknown) => {
      states[index] = typeof next === 'function' ? next(states[index]) : next
    }
    return [states[index], set]
  },
  useSyncExternalStore: (_subscribe: unknown, get: () => unknown) => get(),
}

function nameOf(children: ReactNode): string {
  return Array.isArray(children) ? children.map(nameOf).join('') : String(children ?? '')
}

function offer(name: string, act: unknown): void {
  if (typeof act === 'function') buttons.set(name, () => act())
}

export const components = {
  Button: ({ children, onClick, disabled }: ComponentProps<typeof Button>) => {
    if (disabled !== true) offer(nameOf(children), onClick)
    return <button type="button">{children}</button>
  },
  ConfirmDialog: ({ title, body, action, onConfirm, onCancel }: ComponentProps<typeof ConfirmDialog>) => {
    offer(`${title} ${action}`, onConfirm)
    offer(`${title} Cancel`, onCancel)
    return <dialog aria-label={title}>{body}</dialog>
  },
  Dialog: ({ title, description, children }: ComponentProps<typeof Dialog>) => (
    <dialog aria-label={title}>
      {description}
      {children}
    </dialog>
  ),
}

/** Begins a new page: nothing is drawn, and nothing has a state. */
export function clearPage(): void {
  states = []
  buttons = new Map()
}

/** The markup of a component now; the same one each time, until the page is cleared. */
export function draw(element: ReactNode, client: QueryClient = new QueryClient()): string {
  asked = 0
  buttons = new Map()
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <MemoryRouter>{element}</MemoryRouter>
    </QueryClientProvider>,
  )
}

function Caller({ useHook }: { useHook: () => void }) {
  useHook()
  return null
}

/** What a hook gives to a component that calls it for the first time. */
export function callHook<T>(useHook: () => T, client?: QueryClient): T {
  clearPage()
  const results: T[] = []
  draw(<Caller useHook={() => void results.push(useHook())} />, client)
  const [first] = results
  if (results.length === 0) throw new Error('The hook was not called')
  return first as T
}

/** Presses a button of what was drawn last; of a question it has the question's title before its own name. */
export function press(name: string): void {
  const act = buttons.get(name)
  if (act === undefined) throw new Error(`No button ${name}; there are ${[...buttons.keys()].join(', ')}`)
  act()
}
