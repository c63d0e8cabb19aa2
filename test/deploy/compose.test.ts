import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { botSettings } from '../../src/config/index.ts';
import { secondsOf } from './secondsOf.ts';
import { argsOf, readDockerfile } from './readDockerfile.ts';
import { read, root } from '../sourceFiles.ts';

interface Service {
  command: string[];
  read_only: boolean;
  tmpfs: string[];
  cap_drop: string[];
  security_opt: string[];
  ports?: string[];
  volumes: string[];
  secrets: string[];
  stop_grace_period?: string;
  init?: boolean;
  image: string;
  build?: { context: string; dockerfile: string };
  healthcheck?: { disable: boolean };
  environment?: Record<string, string>;
}

const compose = parse(read('deploy/compose.yaml'), { merge: true }) as {
  services: Record<string, Service>;
  secrets: Record<string, { file: string }>;
  volumes: Record<string, null>;
};
const { services, secrets, volumes } = compose;
const manifest = JSON.parse(read('package.json')) as { devDependencies: { node: string } };
const bot = parse(read('deploy/bots/bot.yaml')) as Record<string, unknown>;
const settings = botSettings.parse(bot);

describe('compose.yaml', () => {
  test('has the bot, its watchdog, Prometheus and Grafana', () => {
    expect(Object.keys(services)).toEqual(['bot', 'watchdog', 'prometheus', 'grafana']);
    expect(services['bot']!.command.slice(0, 3)).toEqual(['run', '/app/bots/bot.yaml', '--live']);
    expect(services['watchdog']!.command).toEqual(['watchdog', '/app/bots/bot.yaml']);
  });

  test.each(Object.entries(services))('%s has no more rights than it needs', (_name, service) => {
    expect(service).toMatchObject({
      read_only: true,
      tmpfs: ['/tmp'],
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
    for (const volume of service.volumes) {
      const [source, , mode] = volume.split(':') as [string, string, string?];
      // What is of this host is read only; what is written to is a volume.
      if (source.startsWith('.')) expect(mode, volume).toBe('ro');
      else expect(Object.keys(volumes)).toContain(source);
    }
  });

  test('mounts folders that exist', () => {
    const mounted = Object.values(services).flatMap((service) => service.volumes);
    const folders = mounted
      .map((volume) => volume.split(':')[0]!)
      .filter((from) => from[0] === '.');
    for (const folder of folders)
      expect(existsSync(join(root, 'deploy', folder)), folder).toBe(true);
  });

  test('its bot and watchdog have longer to stop than stop_seconds', () => {
    for (const name of ['bot', 'watchdog']) {
      const grace = secondsOf(services[name]!.stop_grace_period!);
      expect(grace).toBeGreaterThanOrEqual(settings.stop_seconds + 5);
    }
  });

  test('gives each service the secrets that it reads, from files', () => {
    for (const [name, { file }] of Object.entries(secrets)) expect(file).toBe(`./secrets/${name}`);
    const given = Object.values(services).flatMap((service) => service.secrets);
    expect(given.sort()).toEqual(Object.keys(secrets).sort());
    // The watchdog has none of the bot's, nor the bot the watchdog's.
    const { link, operate, watchdog } = bot as Record<string, Record<string, { file: string }>>;
    const filesOf = (...names: { file: string }[]): string[] => names.map(({ file }) => file);
    expect(services['bot']!.secrets).toEqual(
      filesOf(
        link!['key_id']!,
        link!['secret']!,
        operate!['read_token']!,
        operate!['control_token']!,
      ),
    );
    expect(services['watchdog']!.secrets).toEqual(
      filesOf(watchdog!['key_id']!, watchdog!['secret']!),
    );
    for (const name of ['bot', 'watchdog'])
      expect(services[name]!.environment!['CREDENTIALS_DIRECTORY']).toBe('/run/secrets');
  });

  test('keeps the journal on a volume that bot and watchdog share', () => {
    expect(bot['journal']).toBe('/state/bot.sqlite');
    for (const name of ['bot', 'watchdog'])
      expect(services[name]!.volumes).toEqual(['./bots:/app/bots:ro', 'state:/state']);
  });

  test('Prometheus reads what the bot serves, with its token and the rules beside it', () => {
    const {
      scrape_configs: [scrape],
      rule_files: rules,
    } = parse(read('deploy/prometheus/prometheus.yaml')) as {
      scrape_configs: [Record<string, unknown>];
      rule_files: string[];
    };
    expect(scrape).toMatchObject({
      authorization: { credentials_file: '/run/secrets/prometheus_token' },
      static_configs: [{ targets: ['bot:9464'] }],
    });
    expect(settings.operate).toMatchObject({ listen: '0.0.0.0:9464', hosts: ['bot'] });
    expect(services['bot']!.ports).toEqual(['127.0.0.1:9464:9464']);
    expect(rules).toEqual(['/etc/prometheus/*.rules.yaml']);
    expect(services['prometheus']!.volumes).toContain('./prometheus:/etc/prometheus:ro');
  });

  test('Grafana reads that Prometheus, and the dashboards of deploy/grafana', () => {
    const folder = 'deploy/grafana/provisioning';
    const source = parse(read(`${folder}/datasources/prometheus.yaml`)) as object;
    expect(source).toMatchObject({ datasources: [{ url: 'http://prometheus:9090' }] });
    const provider = parse(read(`${folder}/dashboards/trimtab.yaml`)) as object;
    expect(provider).toMatchObject({ providers: [{ options: { path: '/etc/trimtab' } }] });
    expect(services['grafana']!.volumes).toContain('./grafana:/etc/trimtab:ro');
  });

  test('its bot is a valid configuration for a real service', () => {
    expect(settings.link.kind).toBe('live');
    expect(settings.watchdog).toBeDefined();
  });
});

describe('the Dockerfile', () => {
  const stages = readDockerfile();
  const image = stages[1].instructions;

  test('builds and runs on the Node of the tests', () => {
    for (const { base } of stages)
      expect(base).toMatch(new RegExp(`^node:${manifest.devDependencies.node}-bookworm-slim`));
  });

  test('runs as a user without rights, and Node itself gets the signals', () => {
    expect(argsOf(image, 'USER')).toBe('node');
    expect(argsOf(image, 'STOPSIGNAL')).toBe('SIGTERM');
    expect(JSON.parse(argsOf(image, 'ENTRYPOINT')!)).toEqual(['node', '/app/bin/trimtab.js']);
    expect(argsOf(image, 'HEALTHCHECK')).toContain('trimtab.js status "$TRIMTAB_BOT"');
  });

  test('sends the builder what it copies, and neither journals, secrets nor bots', () => {
    const listed = read('.dockerignore')
      .split('\n')
      .filter((line) => /^[^#]/.test(line));
    expect(listed[0]).toBe('*');
    const sent = listed.slice(1).map((line) => line.replace(/^!/, ''));
    for (const file of sent) expect(existsSync(join(root, file)), file).toBe(true);
    const unsent = new Set([
      'deploy',
      'docs',
      'test',
      'var',
      'reports',
      'node_modules',
      'dist',
      '.env',
    ]);
    expect(sent.filter((file) => unsent.has(file))).toEqual([]);
    const copied = image.flatMap(({ name, args }) =>
      name === 'COPY' ? [...args.matchAll(/\/app\/([\w.-]+)/g)].map((match) => match[1]!) : [],
    );
    const made = new Set(['node_modules', 'dist']);
    expect(copied.filter((file) => !made.has(file) && !sent.includes(file))).toEqual([]);
  });
});
