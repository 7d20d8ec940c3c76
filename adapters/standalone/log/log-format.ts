import type { ResponseEvent } from '../../../core/index.ts'

export type LogFormatName = 'pretty' | 'json' | 'silent'

export const logFormats: readonly LogFormatName[] = ['pretty', 'json', 'silent']

export function isLogFormat(value: unknown): value is LogFormatName {
  return logFormats.some((name) => name === value)
}

export type Level = 'info' | 'warning' | 'error'

/** What a line about a request tells: no key, no body, no target. */
export interface Answered
  extends Pick<ResponseEvent, 'method' | 'status' | 'code' | 'durationMs' | 'caller' | 'requestId'> {
  /** The operation's id, or the path of what stands outside the base path. */
  readonly operation: string | undefined
}

/** What the program itself says, not its log: `text` to people, `fields` to programs. */
export interface Notice {
  readonly level: Level
  readonly event: string
  readonly text: string
  readonly fields: Readonly<Record<string, string>>
}

/** How events become lines; `time` is an ISO time. */
export interface LogFormat {
  event(time: string, level: Level, event: string, message: string): string
  notice(time: string, notice: Notice): string
  /** Runs once a request: it is put together by hand. */
  answered(time: string, answered: Answered): string
}

const pretty: LogFormat = {
  event: (time, level, _event, message) =>
    `${time} ${level === 'info' ? '' : `${level}: `}${printable(message)}`,
  notice: (_time, { text }) => printable(text),
  answered: (time, { operation = '-', method = '-', status, code, durationMs, caller, requestId = '' }) =>
    `${time} ${method} ${operation} ${status}${code ? ` ${code}` : ''} ${durationMs.toFixed(2)}ms ` +
    `${caller === undefined ? '-' : oneWord(caller)} ${requestId}`,
}

const json: LogFormat = {
  event: (time, level, event, message) => JSON.stringify({ time, level, event, message }),
  notice: (time, { level, event, fields }) => JSON.stringify({ time, level, event, ...fields }),
  answered: (time, { operation, method, status, code, durationMs, caller, requestId }) =>
    `{"time":"${time}","level":"info","event":"request"` +
    (method === undefined ? '' : `,"method":${JSON.stringify(method)}`) +
    (operation === undefined ? '' : `,"operation":"${operation}"`) +
    `,"status":${status}` +
    (code === undefined ? '' : `,"code":"${code}"`) +
    `,"durationMs":${Math.round(durationMs * 1000) / 1000}` +
    (caller === undefined ? '' : `,"keyId":${JSON.stringify(caller)}`) +
    (requestId === undefined ? '' : `,"requestId":"${requestId}"`) +
    '}',
}

/** The forms that lines have; a silent log's few are for people. */
export const formats: Readonly<Record<LogFormatName, LogFormat>> = { pretty, json, silent: pretty }

/** A text without characters that a terminal obeys or that it does not show, but for line ends and tabs. */
function printable(text: string): string {
  return text.replace(
    /(?![\n\t])[\p{Cc}\p{Cf}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
}

/** A key's id as one word of a line, whatever the keys file calls it. */
function oneWord(id: string): string {
  return /^[^\s"\p{C}]+$/u.test(id) ? id : printable(JSON.stringify(id))
}
