// The types of the scripts that the benchmark and the floods import: node runs the scripts without a step before.

declare module '*/install.mjs' {
  export function install(folder: URL): Promise<void>
}

declare module '*/server.mjs' {
  import type { ChildProcess } from 'node:child_process'
  export const program: string
  export function announced(child: ChildProcess): Promise<string>
}

declare module '*/runtimes.mjs' {
  interface Runtime {
    readonly program: string
    readonly args: readonly string[]
  }
  export const deno: Runtime
  export const bun: Runtime
}
