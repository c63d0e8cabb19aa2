import { Option } from 'commander';
import { collect } from './collect.ts';

/** The candles of a run, in the place of the configuration's. */
export const feedOption = (): Option =>
  new Option(
    '--feed <symbol@interval=path>',
    "a symbol's candles: CSV, .gz, Parquet or a cache; repeatable",
  ).argParser(collect);

export const paramOption = (): Option =>
  new Option('--param <name=value>', 'a parameter, or STRATEGY.NAME=VALUE; repeatable').argParser(
    collect,
  );

export const setOption = (): Option =>
  new Option('--set <key=value>', 'overrides a value of the configuration; repeatable').argParser(
    collect,
  );
