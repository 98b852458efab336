import { describe, expect, test } from 'vitest'
import { type Mutation, shuffle, sqlTargets } from '../../scripts/lib/sql-mutants.mjs'

/** The mutated sources, each with its operator. */
const apply = (source: string, mutations: readonly Mutation[]) =>
  mutations.map(
    ({ operator, start, end, after }) => `${operator}: ${source.slice(0, start)}${after}${source.slice(end)}`,
  )

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
    expect(targets.map(({ name, file }) => [name, file])).toEqual([
      ['policy p on t using', '2.sql'],
      ['policy p on t check', '1.sql'],
      ['function f', '2.sql'],
    ])
  })
})

describe('the order of mutants', () => {
  const sum = (name: string, numbers: number) =>
    migration(
      `create function ${name}() returns int language sql as $$ select ${Array.from({ length: numbers }, (_, at) => at).join(', ')} $$;`,
      `${name}.sql`,
    )
  const large = sqlTargets([sum('large', 5)])
  const small = sqlTargets([sum('small', 1)])

  test('interleaves targets', () => {
    const mutants = shuffle([...large, ...small], '1')
    expect(mutants).toHaveLength(6)
    expect(new Set(mutants.slice(0, 2).map(({ file }) => file)).size).toBe(2)
  })

  test('depends on the seed, and is stable for a target when others are added', () => {
    const ids = (seed: string, ...targets: typeof large) => shuffle(targets, seed).map(({ id }) => id)
    expect(ids('1', ...large)).toEqual(ids('1', ...large))
    expect(ids('1', ...large)).not.toEqual(ids('2', ...large))
    const others = new Set(ids('1', ...small))
    expect(ids('1', ...small, ...large).filter((id) => !others.has(id))).toEqual(ids('1', ...large))
  })

  test('describes a mutant by its line and its change', () => {
    const [mutant] = shuffle(sqlTargets([migration('\n\ncreate policy p on t using (not a);')]), '1')
    expect(mutant).toMatchObject({ line: 3, before: 'not ', after: '', operator: 'negate' })
  })
})
