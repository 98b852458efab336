// `node --require register.cjs out/main/index.cjs`: replaces the module `electron` with the stand-in.
const Module = require('node:module')

const standin = process.env.STANDIN_MODULE
if (standin === undefined) throw new Error('STANDIN_MODULE is not set')

const resolve = Module._resolveFilename
Module._resolveFilename = function (request, ...rest) {
  return request === 'electron' ? standin : resolve.call(this, request, ...rest)
}

// Records synchronous file access by the app's own code, except for loading modules.
const fs = require('node:fs')
const { dirname, sep } = require('node:path')

const own = dirname(process.argv[1] ?? '') + sep
globalThis.standinSyncCalls = []
for (const name of Object.keys(fs).filter((key) => key.endsWith('Sync'))) {
  const real = fs[name]
  fs[name] = (...args) => {
    const caller = new Error().stack?.split('\n')[2] ?? ''
    if (caller.includes(own) && !caller.includes(standin)) standinSyncCalls.push(`${name} ${args[0]}`)
    return real(...args)
  }
}
