// The types of the scripts that the benchmark and the floods import: node runs the scripts without a step before.

declare module '*/install.mjs' {
  export function install(folder: URL): Promise<void>
}

declare module '*/command.mjs' {
  export function inFolder<T>(task: (folder: string) => Promise<T>): Promise<T>
}

declare module '*/server.mjs' {
  import type { ChildProcess } from 'node:child_process'
  export const program: string
  interface Launched {
    readonly child: ChildProcess
    readonly origin: string
    stop(signal?: NodeJS.Signals): Promise<void>
  }
  export function launch(
    command: readonly string[],
    options?: {
      readonly env?: Readonly<Record<string, string>> | undefined
      readonly stdin?: 'pipe'
      readonly stderr?: 'pipe'
    },
  ): Promise<Launched>
}

declare module '*/runtimes.mjs' {
  interface Runtime {
    readonly program: string
    readonly args: readonly string[]
  }
  export const deno: Runtime
  export const bun: Runtime
}
