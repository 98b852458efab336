import fc from 'fast-check'
import {
  exposedRows,
  FUNCTIONS,
  MEDIA,
  type Rows,
  referencesBetween,
  SEARCHED,
  TABLES,
} from '#/backend/rest/rest-schema'
import type { RestRequest } from './requests'

const METHODS = ['GET', 'GET', 'GET', 'GET', 'GET', 'HEAD', 'POST', 'PATCH', 'DELETE']

/** Functions that would end the session of the stranger. */
const EXCLUDED_FUNCTIONS = ['clear_account', 'delete_account']

/** Requests in a form that the server accepts, with random values, so that they reach the database. */
export function servedRequests(ids: readonly string[]): fc.Arbitrary<RestRequest> {
  const value = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...ids) },
    fc.constantFrom('now', 'true', 'null', '0', '-1', '1e999', 'infinity', '"', '{}', '日本', '%', "'--"),
    fc.string({ maxLength: 12 }),
  )
  const tables = [...TABLES].map(([name, rows]) =>
    fc.constantFrom(...METHODS).chain((method) => requestTo(name, method, rows, rows.columns, value)),
  )
  const functions = [...FUNCTIONS]
    .filter(([name]) => !EXCLUDED_FUNCTIONS.includes(name))
    .flatMap(([name, { args, reads }]) =>
      (reads ? ['GET', 'POST'] : ['POST']).map((method) =>
        requestTo(`rpc/${name}`, method, exposedRows(`rpc/${name}`), args, value),
      ),
    )
  return fc.oneof(
    { weight: 6, arbitrary: fc.oneof(...tables) },
    { weight: 1, arbitrary: fc.oneof(...functions) },
  )
}

function requestTo(
  place: string,
  method: string,
  rows: Rows,
  names: string[],
  value: fc.Arbitrary<string>,
): fc.Arbitrary<RestRequest> {
  const isInsert = method === 'POST' && !place.startsWith('rpc/')
  const query = fc.tuple(
    selectOf(rows, 0).map((select) => [`select=${encodeURIComponent(select)}`]),
    isInsert
      ? fc.constant([])
      : fc.array(filterOf(rows, value), { minLength: method === 'GET' ? 0 : 1, maxLength: 3 }),
    method === 'GET' ? endOf(rows) : fc.constant([]),
    method === 'GET' && place.startsWith('rpc/') ? argumentsOf(names, value) : fc.constant([]),
  )
  const row = fc.dictionary(fc.constantFrom(...names, 'id'), fc.oneof(value, fc.boolean(), fc.integer()), {
    maxKeys: 6,
  })
  const body = isInsert ? fc.oneof(row, fc.array(row, { maxLength: 3 })) : row
  const prefer = fc.constantFrom(
    '',
    'return=representation',
    'count=exact',
    'count=planned',
    'resolution=ignore-duplicates',
  )
  return fc.record({ query, body, prefer }).map((parts) => ({
    method,
    path: `/rest/v1/${place}?${parts.query.flat().join('&')}`,
    headers: { 'content-type': 'application/json', ...(parts.prefer !== '' && { prefer: parts.prefer }) },
    ...(['POST', 'PATCH'].includes(method) && { body: JSON.stringify(parts.body) }),
  }))
}

function selectOf(rows: Rows, depth: number): fc.Arbitrary<string> {
  const { table } = rows
  const columns = rows.columns.filter((column) => depth === 0 || !MEDIA.includes(column))
  if (columns.length === 0) return fc.constant('')
  const some = fc
    .uniqueArray(fc.constantFrom(...columns), { minLength: 1, maxLength: 4 })
    .map((list) => list.join())
  const relations = [...TABLES.keys()].flatMap((other) =>
    referencesBetween(table, other)
      .filter(({ isList }) => depth === 0 || !isList)
      .map(({ name }) => [name, other] as const),
  )
  if (relations.length === 0 || depth > 1) return some
  const embed = fc
    .constantFrom(...relations)
    .chain(([key, other]) =>
      selectOf(exposedRows(other), depth + 1).map((inner) => `${other}!${key}(${inner})`),
    )
  return fc.oneof(
    some,
    depth === 0 ? fc.constant('*') : some,
    fc.tuple(some, embed).map((parts) => parts.join()),
  )
}

function filterOf(rows: Rows, value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const columns = rows.columns.filter((column) => !MEDIA.includes(column))
  const column = fc.constantFrom(...(columns.length > 0 ? columns : ['id']))
  const equality = fc.tuple(fc.constantFrom('eq', 'neq', 'not.eq'), value)
  const range = fc.tuple(fc.constantFrom('gt', 'gte', 'lt', 'lte'), value)
  const condition = fc.oneof(
    equality.map((parts) => parts.join('.')),
    fc.array(value, { maxLength: 4 }).map((list) => `in.(${list.map((one) => JSON.stringify(one)).join()})`),
    fc.constantFrom('is.null', 'not.is.null', 'is.true'),
  )
  const ordered = columns.filter((name) => !rows.texts.includes(name))
  const plain = fc.oneof(
    { weight: 2, arbitrary: fc.tuple(column, condition) },
    fc.tuple(
      fc.constantFrom(...(ordered.length > 0 ? ordered : ['id'])),
      range.map((parts) => parts.join('.')),
    ),
  )
  const leaf = plain.map((parts) => parts.join('.'))
  const tree = fc.array(leaf, { minLength: 1, maxLength: 3 }).map((list) => `(${list.join()})`)
  const searched = columns.filter((name) => SEARCHED.includes(`${rows.table} ${name}`))
  const filter = fc.oneof(
    { weight: 4, arbitrary: plain },
    fc.tuple(leaf, tree).map(([one, and]): [string, string] => ['or', `(${one},and${and})`]),
    ...(searched.length === 0
      ? []
      : [
          fc.tuple(
            fc.constantFrom(...searched),
            value.map((text) => `ilike.*${text}*`),
          ),
        ]),
  )
  return filter.map(
    ([name, text]) => `${name}=${encodeURIComponent(text.replaceAll(/[\ud800-\udfff]/gu, '\ufffd'))}`,
  )
}

/** Some arguments of a function that GET calls, of which few are valid. */
function argumentsOf(names: string[], value: fc.Arbitrary<string>): fc.Arbitrary<string[]> {
  const time = fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
  const one = fc
    .oneof(time, fc.constantFrom('inbox', 'requests'), value)
    .map((text) => encodeURIComponent(text.replaceAll(/[\ud800-\udfff]/gu, '\ufffd')))
  return fc
    .subarray(names)
    .chain((some) => fc.tuple(...some.map((name) => one.map((text) => `${name}=${text}`))))
}

function endOf(rows: Rows): fc.Arbitrary<string[]> {
  const columns = rows.columns.filter((column) => !MEDIA.includes(column))
  const order = fc.tuple(
    fc.constantFrom(...(columns.length > 0 ? columns : ['id'])),
    fc.constantFrom('', '.desc', '.asc.nullsfirst'),
  )
  return fc
    .constantFrom(
      [] as fc.Arbitrary<string>[],
      [order.map((parts) => `order=${parts.join('')}`)],
      [fc.nat(50).map((count) => `limit=${count}`), fc.nat(50).map((count) => `offset=${count}`)],
    )
    .chain((parts) => fc.tuple(...parts))
}
