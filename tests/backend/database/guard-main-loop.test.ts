import { expect, onTestFinished, test, vi } from 'vitest'
import { guardMainLoop } from '#/backend/database/guard-main-loop'
import { openMigrated } from '#tests/backend/support/prepared'

async function openPg() {
  const pg = (await openMigrated()).driver
  onTestFinished(() => pg.close())
  return pg
}

test('reports every exception of the main loop except a failed statement', async () => {
  const pg = await openPg()
  const { Module } = pg
  const run = Module._PostgresMainLoopOnce
  const fault = new WebAssembly.RuntimeError('unreachable')
  let isFaulty = false
  Object.assign(Module, {
    _PostgresMainLoopOnce: () => {
      if (!isFaulty) return run()
      isFaulty = false
      run()
      throw fault
    },
  })
  const onCrash = vi.fn()
  guardMainLoop(pg, onCrash)
  await expect(pg.query('select 1 / 0')).rejects.toMatchObject({ code: '22012' })
  expect(onCrash).not.toHaveBeenCalled()
  isFaulty = true
  await pg.query('select 1')
  expect(onCrash).toHaveBeenCalledExactlyOnceWith(fault)
})

test('reports an exception outside the main loop whatever its status', async () => {
  const pg = await openPg()
  const flush = pg.Module._pgl_pq_flush
  let isFaulty = true
  Object.assign(pg.Module, {
    _pgl_pq_flush: () => {
      flush()
      if (isFaulty) throw Object.assign(new Error('longjmp'), { status: 100 })
    },
  })
  const onCrash = vi.fn()
  guardMainLoop(pg, onCrash)
  await expect(pg.query('select 1')).rejects.toThrow('longjmp')
  expect(onCrash).toHaveBeenCalled()
  isFaulty = false
})

test('failed statements keep nothing of the stack, however they fail', async () => {
  const pg = await openPg()
  const stack = () => (Reflect.get(pg.Module, '___stack_pointer') as WebAssembly.Global).value
  guardMainLoop(pg, () => undefined)
  await pg.query('select 1')
  const before = stack()
  for (const sql of [
    `select 'x'::uuid`,
    'select from',
    'select 1 / 0',
    'select * from missing',
    `do $$ begin raise exception 'x'; end $$`,
  ])
    await expect(pg.exec(sql)).rejects.toThrow()
  await expect(pg.query('select $1::uuid', ['x'])).rejects.toThrow()
  expect(stack()).toBe(before)
})

test('rejects a PGlite without the parts that it needs', () => {
  const guard = (Module: object) => guardMainLoop({ Module } as never, () => undefined)
  const ___stack_pointer = new WebAssembly.Global({ value: 'i32', mutable: true }, 0)
  expect(() => guard({ ___stack_pointer, _PostgresMainLoopOnce: () => undefined })).toThrow(
    'PGlite no longer has _PostgresMainLongJmp',
  )
  expect(() => guard({})).toThrow('PGlite no longer has ___stack_pointer')
})
