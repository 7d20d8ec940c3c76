import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Part } from './part.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** The files of a certificate for 127.0.0.1 that vouches for itself. */
export interface Certificate {
  readonly certificate: string
  readonly key: string
}

/** Makes a certificate for one test file, if this machine has the program. */
export function createCertificate(): Part<Certificate> {
  if (spawnSync('openssl', ['version']).error) return { absent: 'this machine has no openssl' }
  const folder = temporaryFolder()
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
  const request =
    'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1'
  execFileSync('openssl', [...request.split(' '), '-keyout', key, '-out', certificate], { stdio: 'ignore' })
  return { value: { certificate, key } }
}
