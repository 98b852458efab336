import { NAMES, type Name, type Privacy } from './cast'

export const ROLES = ['owner', 'follower', 'stranger', 'other', 'out'] as const
export type Role = (typeof ROLES)[number]
/** `null`: not applicable. */
export type Cells = Record<Role, boolean | null>

export type Action = { kind: 'select' | 'insert' | 'forge' | 'delete' } | { kind: 'update'; column: string }

export interface Line {
  action: Action
  cells: Record<Privacy, Cells>
}

export interface TableRights {
  table: string
  /** The member for each role; none for `out`, and for `other` only if the row has a second party. */
  people: Partial<Record<Role, Name>>
  lines: Line[]
}

const CELLS: Record<string, boolean | null> = { yes: true, no: false, '-': null }

function nameOf(text: string | undefined): Name {
  const name = NAMES.find((one) => one === text)
  if (!name) throw new Error(`Nobody is called ${text}`)
  return name
}

function cellsOf(words: string[], privacy: Privacy): Cells {
  const cells = ROLES.map((role, index) => {
    const [open, closed = open] = (words[index] ?? '').split('/')
    const cell = CELLS[(privacy === 'public' ? open : closed) ?? '']
    if (cell === undefined) throw new Error(`'${words[index]}' is no cell (${role})`)
    return [role, cell]
  })
  return Object.fromEntries(cells) as Cells
}

/** Whether any role may do this, with a public or a private account. */
export function isEverDone({ cells }: Line): boolean {
  return ROLES.some((role) => cells.public[role] === true || cells.private[role] === true)
}

function linesOf(text: string): Line[] {
  const words = text.trim().split(/\s+/)
  const cells = words.splice(-ROLES.length)
  const both = { public: cellsOf(cells, 'public'), private: cellsOf(cells, 'private') }
  const [kind, ...columns] = words
  switch (kind) {
    case 'update':
      return columns.map((column) => ({ action: { kind, column }, cells: both }))
    case 'select':
    case 'insert':
    case 'forge':
    case 'delete':
      return [{ action: { kind }, cells: both }]
    default:
      throw new Error(`'${kind}' is no action`)
  }
}

/** Parses the table of expected.ts. */
export function parse(text: string): TableRights[] {
  return text
    .trim()
    .split(/\n\s*\n/)
    .map((block) => {
      const [title = '', , ...lines] = block.split('\n')
      const owner = /owner=(\w+)/.exec(title)?.[1]
      const other = /other=(\w+)/.exec(title)?.[1]
      return {
        table: title.slice(0, title.indexOf(':')),
        people: {
          owner: nameOf(owner),
          follower: 'fay',
          stranger: 'sid',
          ...(other === undefined ? {} : { other: nameOf(other) }),
        },
        lines: lines.flatMap(linesOf),
      }
    })
}
