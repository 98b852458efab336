/** What the server uses of WebAssembly, which Node has but whose types come with those of a browser. */
declare namespace WebAssembly {
  class Module {
    private constructor()
  }
  class Memory {
    constructor(descriptor: { initial: number })
    readonly buffer: ArrayBuffer
    grow(pages: number): number
  }
  class RuntimeError extends Error {}
  function compile(bytes: Uint8Array): Promise<Module>
}
