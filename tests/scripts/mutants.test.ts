import { describe, expect, test } from 'vitest'
import { type Mutation, shuffle } from '../../scripts/lib/mutants/mutation.mjs'
import { sqlTargets } from '../../scripts/lib/mutants/sql.mjs'
import { stepsFor } from '../../scripts/lib/mutants/steps.mjs'
import { typeScriptMutations } from '../../scripts/lib/mutants/typescript.mjs'

/** The mutated sources, each with its operator. */
const apply = (source: string, mutations: readonly Mutation[]) =>
  mutations.map(
    ({ operator, start, end, after }) => `${operator}: ${source.slice(0, start)}${after}${source.slice(end)}`,
  )

const mutate = (source: string) => apply(source, typeScriptMutations('file.tsx', source))

describe('mutations of TypeScript', () => {
  test.each([
    ['const a = b === c', 'swap operator: const a = ((b) !== (c))'],
    ['const a = b < c', 'swap operator: const a = ((b) <= (c))'],
    ['const a = b - c', 'swap operator: const a = ((b) + (c))'],
    ['const a = b && c', 'swap operator: const a = ((b) || (c))'],
    ['const a = !b', 'negate: const a = b'],
    ['const a = b ? c : d', 'negate: const a = !(b) ? c : d'],
    ['if (a) b', 'negate: if (!(a)) b'],
    ['throw a', 'drop statement: {}'],
    ['export const a = await b', 'drop await: export const a = b'],
    ['const a = 3', 'change constant: const a = 4'],
    ['const a = 30_000', 'change constant: const a = 3000'],
    ['const a = true', 'change constant: const a = false'],
    ["const a = 'b'", "change constant: const a = ''"],
    ["const a = ''", "change constant: const a = 'mutant'"],
    ['const a = <p role={b} />', 'drop element: const a = <p  />'],
  ])('%s', (source, mutated) => {
    expect(mutate(source)).toContain(mutated)
  })

  test('drop a call and change its arguments', () => {
    expect(mutate('send(1)')).toEqual(['drop statement: {}', 'change constant: send(2)'])
  })

  test('drop each element of a list with its comma', () => {
    expect(mutate('const a = [b, c, d]')).toEqual([
      'drop element: const a = [c, d]',
      'drop element: const a = [b, d]',
      'drop element: const a = [b, c]',
    ])
    expect(mutate('const a = { b: c }')).toEqual(['drop element: const a = {  }'])
  })

  test('return early only from functions that return nothing', () => {
    expect(mutate('function a() { var b }')).toEqual(['return early: function a() { return; var b }'])
    expect(mutate('function a() { return b }')).toEqual([])
  })

  test.each([
    ['types', "type A = 'b' | 3; let a: 'b'"],
    ['imports and exports from elsewhere', "import a from 'b'; export * from 'c'"],
    ['logs', "log.warn('a', 3); console.log(!b); logFailure('c', 3)"],
    ['texts', "const a = 'some words'"],
    ['styles', 'const a = <p className="a" key="b" />'],
    ['default styles', 'function Menu({ sideOffset = 4, className = "a" }) { return }'],
    ['property names', "const { 'a': b } = c"],
    ['hook dependencies', 'const a = useMemo(b, [c, d])'],
  ])('leave out %s', (_, source) => {
    expect(mutate(source)).toEqual([])
  })
})

const migration = (source: string, file = '1.sql') => ({ file, source })
const mutateSql = (source: string) =>
  sqlTargets([migration(source)]).flatMap(({ mutations }) => apply(source, mutations))

describe('mutations of SQL', () => {
  test('change the conditions of a policy', () => {
    const policy = (condition: string) => `create policy p on t for select using (${condition});`
    expect(mutateSql(policy("a = 1 and b is null and c = 'd'"))).toEqual([
      `swap operator: ${policy("a <> 1 and b is null and c = 'd'")}`,
      `change constant: ${policy("a = 2 and b is null and c = 'd'")}`,
      `swap operator: ${policy("a = 1 or b is null and c = 'd'")}`,
      `drop condition: ${policy("a = 1  and c = 'd'")}`,
      `negate: ${policy("a = 1 and b is not null and c = 'd'")}`,
      `swap operator: ${policy("a = 1 and b is null or c = 'd'")}`,
      `drop condition: ${policy('a = 1 and b is null ')}`,
      `swap operator: ${policy("a = 1 and b is null and c <> 'd'")}`,
      `change constant: ${policy("a = 1 and b is null and c = ''")}`,
    ])
  })

  test('leave out the constant that a query in `exists` selects', () => {
    const policy = (condition: string) => `create policy p on t for select using (${condition});`
    expect(mutateSql(policy('exists (select 1 from d)'))).toEqual([
      `negate: ${policy('not exists (select 1 from d)')}`,
    ])
    expect(mutateSql(policy('a in (select 1 from d)'))).toEqual([
      `change constant: ${policy('a in (select 2 from d)')}`,
    ])
  })

  test('drop a condition with the parentheses inside it, but not those around it', () => {
    const policy = (condition: string) => `create policy p on t for insert with check (${condition});`
    expect(mutateSql(policy('(a and b in (select (c) from d)) or e'))).toContain(
      `drop condition: ${policy('(a ) or e')}`,
    )
    expect(mutateSql(policy('a between b and c'))).toEqual([])
  })

  test('drop statements and locks of a function, but do not change its declaration', () => {
    const body = (...lines: string[]) =>
      `create function f(a text = 'b') returns trigger language plpgsql as $$ begin ${lines.join(' ')} end $$;`
    const [update, lock] = ['update t set a = (b);', 'select a into b from c for no key update;']
    expect(mutateSql(body(update, lock))).toEqual([
      `swap operator: ${body('update t set a <> (b);', lock)}`,
      `drop statement: ${body('null;', lock)}`,
      `drop statement: ${body(update, 'null;')}`,
      `drop lock: ${body(update, 'select a into b from c ;')}`,
    ])
  })

  test('drop triggers and change their conditions', () => {
    expect(mutateSql('create trigger g before insert on t when (not a) execute function f();')).toEqual([
      'drop trigger: ;',
      'negate: create trigger g before insert on t when (a) execute function f();',
    ])
  })

  test('change only the checks of a table', () => {
    expect(mutateSql('create table t (a integer default 1, constraint c check (a >= 2));')).toEqual([
      'swap operator: create table t (a integer default 1, constraint c check (a > 2));',
      'change constant: create table t (a integer default 1, constraint c check (a >= 3));',
    ])
  })

  test('leave out comments and definitions that a later migration replaces or drops', () => {
    const targets = sqlTargets([
      migration(`
        create policy p on t using (a = 1) with check (b = 1); -- not c
        create function f() returns int language sql as $$ select 1 $$;
        create trigger g before insert on t execute function f();
        create table t (constraint c check (a > 0));`),
      migration(
        `alter policy p on t using (a = 2);
        create or replace function f() returns int language sql as $$ select 2 $$;
        drop trigger g on t;
        alter table t drop constraint c;`,
        '2.sql',
      ),
    ])
    expect(targets.map(({ area, name, file }) => [area, name, file])).toEqual([
      ['policies', 'policy p on t using', '2.sql'],
      ['policies', 'policy p on t check', '1.sql'],
      ['policies', 'function f', '2.sql'],
    ])
  })
})

describe('the order of mutants', () => {
  const target = (name: string, source: string) => ({
    area: 'main',
    name,
    file: name,
    source,
    mutations: typeScriptMutations(name, source),
  })
  const large = target('large.ts', 'a(1); b(2); c(3); d(4); e(5)')
  const small = target('small.ts', 'f(6)')

  test('interleaves targets and operators', () => {
    const mutants = shuffle([large, small], '1')
    expect(mutants).toHaveLength(12)
    expect(new Set(mutants.slice(0, 2).map(({ file }) => file)).size).toBe(2)
    const ofLarge = mutants.filter(({ file }) => file === 'large.ts')
    expect(new Set(ofLarge.slice(0, 2).map(({ operator }) => operator)).size).toBe(2)
  })

  test('depends on the seed, and is stable for a target when others are added', () => {
    const ids = (seed: string, ...targets: (typeof large)[]) => shuffle(targets, seed).map(({ id }) => id)
    expect(ids('1', large)).toEqual(ids('1', large))
    expect(ids('1', large)).not.toEqual(ids('2', large))
    const others = new Set(ids('1', small))
    expect(ids('1', small, large).filter((id) => !others.has(id))).toEqual(ids('1', large))
  })

  test('describes a mutant by its line and its change', () => {
    const [mutant] = shuffle([target('lines.ts', '\n\nf()')], '1')
    expect(mutant).toMatchObject({ line: 3, before: 'f()', after: '{}', operator: 'drop statement' })
  })
})

test("a mutant's tests start with the cheapest and, in a feature, end with that feature's end-to-end tests", () => {
  expect(stepsFor({ area: 'renderer', file: 'src/renderer/features/search/model.ts' })).toEqual([
    { kind: 'vitest', args: expect.arrayContaining(['related', 'unit*']), minutes: expect.any(Number) },
    { kind: 'e2e', project: 'browser', specs: ['e2e/nav'] },
  ])
})

test('tests that only compare the text of migrations are excluded', () => {
  for (const area of ['policies', 'triggers']) {
    for (const step of stepsFor({ area, file: 'supabase/migrations/1.sql' })) {
      expect(step).toMatchObject({
        args: expect.arrayContaining(['tests/supabase/schema/migrations.test.ts']),
      })
    }
  }
})
