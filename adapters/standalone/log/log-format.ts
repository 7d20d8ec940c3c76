import type { ErrorContext, ResponseEvent } from '../../../core/index.ts'

export const logFormats = ['pretty', 'json', 'silent'] as const
export type LogFormatName = (typeof logFormats)[number]

export type Level = 'info' | 'warning' | 'error'

/** The members of a response in the log: no key, no body, no request target. */
export interface LoggedResponse extends Omit<ResponseEvent, 'operation' | 'route' | 'decision'> {
  /** The operation's id, or the path of a page outside the base path. */
  readonly operation: string | undefined
}

/** The request that an event belongs to. `operation` is an id, or the path of a page outside the base path. */
export interface LoggedContext extends Omit<ErrorContext, 'operation'> {
  readonly operation: string | undefined
}

/** Output of the program itself that is not part of its log: `text` for people, `fields` for programs. */
export interface ProgramOutput {
  readonly level: Level
  readonly event: string
  readonly text: string
  readonly fields: Readonly<Record<string, string>>
}

/** Formats events as lines; `time` is an ISO time. */
export interface LogFormat {
  /** `context` names the request that the event belongs to. */
  event(time: string, level: Level, event: string, message: string, context?: LoggedContext): string
  notice(time: string, notice: ProgramOutput): string
  /** The line has the client address only with `withAddress`; else it is not read, which takes time. */
  response(time: string, response: LoggedResponse, withAddress: boolean): string
}

const pretty: LogFormat = {
  event: (time, level, _event, message, context) =>
    `${time} ${level === 'info' ? '' : `${level}: `}${printable(message)}${prettyContext(context)}`,
  notice: (_time, { text }) => printable(text),
  response(time, response, withAddress) {
    const {
      operation = '-',
      method = '-',
      status,
      code,
      durationMs,
      caller,
      requestId = '',
      traceId,
    } = response
    return (
      `${time} ${method} ${operation} ${status}${code ? ` ${code}` : ''} ${durationMs.toFixed(2)}ms ` +
      `${caller === undefined ? '-' : oneWord(caller)} ${requestId}${withAddress ? ` ${response.client}` : ''}${traceId ? ` trace_id=${traceId}` : ''}`
    )
  },
}

const json: LogFormat = {
  event: (time, level, event, message, { requestId, operation, caller: keyId } = none) =>
    JSON.stringify({ time, level, event, message, requestId, operation, keyId }),
  notice: (time, { level, event, fields }) => JSON.stringify({ time, level, event, ...fields }),
  response(time, response, withAddress) {
    const { operation, method, status, code, durationMs, caller, requestId, traceId } = response
    const address = withAddress ? response.client : undefined
    return (
      `{"time":"${time}","level":"info","event":"request"${member('method', method)}` +
      `${member('operation', operation)},"status":${status}${member('code', code)}` +
      `,"durationMs":${Math.round(durationMs * 1000) / 1000}${member('keyId', caller)}` +
      `${member('address', address)}${member('requestId', requestId)}${member('trace_id', traceId)}}`
    )
  },
}

/** A member of a line; nothing without a value. With `JSON.stringify` for the whole line, Node 20 is 4 % slower. */
function member(name: string, value: string | undefined): string {
  if (value === undefined) return ''
  return `,"${name}":${/^[\w:.-]*$/.test(value) ? `"${value}"` : JSON.stringify(value)}`
}

/** The format of each name. A silent log formats the few lines that it has for people. */
export const formats: Readonly<Record<LogFormatName, LogFormat>> = { pretty, json, silent: pretty }

/** The context of an event that belongs to no request. */
const none: LoggedContext = { requestId: undefined, operation: undefined, caller: undefined }

function prettyContext({ requestId, operation, caller }: LoggedContext = none): string {
  const words = [operation, caller && oneWord(caller), requestId].filter((word) => word)
  return words.length === 0 ? '' : ` (${words.join(' ')})`
}

/** Escapes the characters that control a terminal or are invisible, except line feeds and tabs. */
export function printable(text: string): string {
  return text.replace(
    /(?![\n\t])[\p{Cc}\p{Cf}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
}

/** A key's id as one word of a line, with any characters. */
function oneWord(id: string): string {
  return /^[^\s"\p{C}]+$/u.test(id) ? id : printable(JSON.stringify(id))
}
