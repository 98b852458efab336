// `node --require register.cjs out/main/index.cjs`: whoever requires electron gets the stand-in.
const Module = require('node:module')

const standin = process.env.STANDIN_MODULE
if (standin === undefined) throw new Error('STANDIN_MODULE is not set')

const resolve = Module._resolveFilename
Module._resolveFilename = function (request, ...rest) {
  return request === 'electron' ? standin : resolve.call(this, request, ...rest)
}
