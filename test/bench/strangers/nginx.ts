import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServerLog } from './server.ts'

/** Debian installs it where only root's `PATH` leads. */
const program = ['nginx', '/usr/sbin/nginx'].find((path) => spawnSync(path, ['-v']).status === 0)

export const isNginxInstalled = program !== undefined

/** A preflight has no key, so it does not count. */
const config = (folder: string, port: number, service: string, isReadable: boolean) => `
daemon off;
worker_processes 1;
pid ${folder}/pid;
error_log ${folder}/error.log;
events {}
http {
  log_format times '$msec $status $request_method';
  access_log ${folder}/access.log times;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  limit_req_zone $http_authorization zone=key:1m rate=2r/s;
  server {
    listen 127.0.0.1:${port};
    location / {
      limit_req zone=key burst=5 nodelay;
      proxy_pass ${service};
      ${isReadable ? 'error_page 503 @refused;' : ''}
    }
    location @refused {
      add_header Access-Control-Allow-Origin * always;
      return 503;
    }
  }
}`

/**
 * Starts nginx in front of a service: 2 requests per second for each key, and 5 more that come early; 503 without further
 * headers for others.
 *
 * @param isReadable - whether pages of other origins can read its 503
 */
export async function startNginx(service: string, isReadable: boolean) {
  if (program === undefined) throw new Error('nginx is not installed.')
  const folder = mkdtempSync(join(tmpdir(), 'petstore-nginx-'))
  const port = await freePort()
  const configFile = join(folder, 'nginx.conf')
  await writeFile(configFile, config(folder, port, service, isReadable))
  // The shell ends nginx when its standard input closes, so also when this process is killed.
  const script = '"$0" -p "$1" -c "$2" -e "$1/error.log" & read -r _; kill $!; wait; rm -r "$1"'
  spawn('sh', ['-c', script, program, folder, configFile], { stdio: ['pipe', 'ignore', 'inherit'] })
  const origin = `http://127.0.0.1:${port}`
  await waitFor(origin)
  const readLog = async (): Promise<Omit<ServerLog, 'duplicates'>> => {
    const lines = (await readFile(join(folder, 'access.log'), 'utf8')).trim().split('\n')
    const entries = lines.map((line) => line.split(' ')).filter(([, , method]) => method === 'GET' || method === 'POST')
    const refusals = entries.filter(([, status]) => status === '503').map(([time]) => ({ at: Number(time) * 1_000 }))
    return { requests: entries.length, refusals }
  }
  return { origin, readLog }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('There is no free port.')
  return address.port
}

/** Until it responds, with an OPTIONS request, which does not count. */
async function waitFor(origin: string): Promise<void> {
  const end = Date.now() + 10_000
  for (;;) {
    const isUp = await fetch(origin, { method: 'OPTIONS' }).then(
      () => true,
      () => false,
    )
    if (isUp) return
    if (Date.now() > end) throw new Error('nginx does not start.')
    await new Promise((resolve) => void setTimeout(resolve, 50))
  }
}
