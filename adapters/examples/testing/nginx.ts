/** Returns the whole configuration of nginx for a part of its `http` block. It writes only to a folder. */
export function completeNginx(text: string, folder: string): string {
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const temporary = kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join('\n')
  return `daemon off; master_process off; pid ${folder}/pid; error_log stderr;
    events {}
    http { access_log off; ${temporary}
    ${text} }`
}
