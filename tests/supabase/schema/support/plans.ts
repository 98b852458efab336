import * as z from 'zod'
import type { Community } from './community'

/** The part of a node of `explain (analyze, format json)` that the tests use. */
export interface PlanNode {
  type: string
  /** Returned rows, over all loops. */
  rows: number
  /** Rows that a filter removed, over all loops. */
  removed: number
  relation: string | undefined
  index: string | undefined
  children: PlanNode[]
}

const rawNode = z.object({
  'Node Type': z.string(),
  'Actual Rows': z.number(),
  'Actual Loops': z.number(),
  'Rows Removed by Filter': z.number().optional(),
  'Rows Removed by Index Recheck': z.number().optional(),
  'Relation Name': z.string().optional(),
  'Index Name': z.string().optional(),
  'Shared Hit Blocks': z.number().optional(),
  get Plans(): z.ZodOptional<z.ZodArray<typeof rawNode>> {
    return z.array(rawNode).optional()
  },
})

const explained = z.tuple([z.object({ 'QUERY PLAN': z.tuple([z.object({ Plan: rawNode })]) })])

function readNode(raw: z.infer<typeof rawNode>): PlanNode {
  const loops = raw['Actual Loops']
  return {
    type: raw['Node Type'],
    rows: raw['Actual Rows'] * loops,
    removed: ((raw['Rows Removed by Filter'] ?? 0) + (raw['Rows Removed by Index Recheck'] ?? 0)) * loops,
    relation: raw['Relation Name'],
    index: raw['Index Name'],
    children: (raw.Plans ?? []).map(readNode),
  }
}

/** Runs a query as a member and returns all nodes of its plan, root first. */
export async function explainAs(
  community: Community,
  member: string,
  query: string,
  parameters: unknown[] = [],
): Promise<PlanNode[]> {
  return nodesOf(await community.as(member, `${EXPLAIN} ${query}`, parameters))
}

/** The same as the owner of the database, without row security, and by indexes where there are any. */
export async function explainByIndexes(
  community: Community,
  query: string,
  parameters: unknown[],
): Promise<PlanNode[]> {
  await community.sql('set enable_seqscan = off')
  try {
    return nodesOf(await community.sql(`${EXPLAIN} ${query}`, parameters))
  } finally {
    await community.sql('reset enable_seqscan')
  }
}

/** Blocks of tables and indexes that a query reads as a member, also in functions, of which there is no plan. */
export async function blocksRead(community: Community, member: string, query: string): Promise<number> {
  const rows = await community.as(member, `explain (analyze, buffers, format json) ${query}`)
  return explained.parse(rows)[0]['QUERY PLAN'][0].Plan['Shared Hit Blocks'] ?? 0
}

const EXPLAIN = 'explain (analyze, format json)'

const nodesOf = (rows: unknown): PlanNode[] =>
  flatten(readNode(explained.parse(rows)[0]['QUERY PLAN'][0].Plan))

function flatten(node: PlanNode): PlanNode[] {
  return [node, ...node.children.flatMap(flatten)]
}

/** Rows read by table scans, including filtered rows. */
export function rowsRead(nodes: PlanNode[]): number {
  return nodes
    .filter((node) => node.relation !== undefined)
    .reduce((sum, node) => sum + node.rows + node.removed, 0)
}

export const sorts = (nodes: PlanNode[]) => nodes.filter((node) => /sort/i.test(node.type))
export const indexesUsed = (nodes: PlanNode[]) => nodes.flatMap((node) => node.index ?? [])
export const wholeTablesRead = (nodes: PlanNode[]) => nodes.filter((node) => node.type === 'Seq Scan')
