package bench

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
)

// openPostgres has a connection for every client, so that none waits for one.
func openPostgres(ctx context.Context, dsn string, clients int, statements ...string) (*pgxpool.Pool, error) {
	cfg, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, err
	}
	cfg.MinConns, cfg.MaxConns = int32(clients), int32(clients)
	cfg.ConnConfig.RuntimeParams["synchronous_commit"] = "on"
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return nil, err
	}
	for _, s := range statements {
		if _, err := pool.Exec(ctx, s); err != nil {
			pool.Close()
			return nil, err
		}
	}
	return pool, nil
}

func closer(pool *pgxpool.Pool) func() error {
	return func() error { pool.Close(); return nil }
}

// BarePostgres inserts one row in a transaction of its own.
func BarePostgres(ctx context.Context, dsn string, clients int) (Durable, error) {
	pool, err := openPostgres(ctx, dsn, clients,
		`DROP TABLE IF EXISTS bare`,
		`CREATE TABLE bare (id text PRIMARY KEY, input bytea, action bytea, decision bytea)`)
	if err != nil {
		return Durable{}, err
	}
	return Durable{"bare/insert", func(ctx context.Context, _, _ int) error {
		_, err := pool.Exec(ctx, `INSERT INTO bare (id, input, action, decision) VALUES ($1, $2, $3, $4)`,
			newID(), submitInput, submitAction, submitDecision)
		return err
	}, closer(pool)}, nil
}

// riverArgs is the submission as a job for River.
type riverArgs struct {
	Input  json.RawMessage `json:"input"`
	Action json.RawMessage `json:"action"`
}

func (riverArgs) Kind() string { return "decide" }

// River inserts a job, with a client that only inserts.
func River(ctx context.Context, dsn string, clients int) (Durable, error) {
	pool, err := openPostgres(ctx, dsn, clients)
	if err != nil {
		return Durable{}, err
	}
	driver := riverpgxv5.New(pool)
	migrator, err := rivermigrate.New(driver, nil)
	if err != nil {
		return Durable{}, err
	}
	if _, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return Durable{}, err
	}
	client, err := river.NewClient(driver, &river.Config{})
	if err != nil {
		return Durable{}, err
	}
	return Durable{"river/insert", func(ctx context.Context, _, _ int) error {
		_, err := client.Insert(ctx, riverArgs{submitInput, submitAction}, nil)
		return err
	}, closer(pool)}, nil
}

// BareClaim takes a row that is free and completes it, each in one statement, as
// queues on Postgres do. There must be n rows.
func BareClaim(ctx context.Context, dsn string, clients, n int) (Durable, error) {
	pool, err := openPostgres(ctx, dsn, clients,
		`DROP TABLE IF EXISTS jobs`,
		`CREATE TABLE jobs (id text PRIMARY KEY, state smallint NOT NULL DEFAULT 0, token bigint NOT NULL DEFAULT 0, body bytea)`,
		`CREATE INDEX jobs_free ON jobs (id) WHERE state = 0`)
	if err != nil {
		return Durable{}, err
	}
	_, err = pool.CopyFrom(ctx, pgx.Identifier{"jobs"}, []string{"id", "body"}, pgx.CopyFromSlice(n, func(int) ([]any, error) {
		return []any{newID(), submitInput}, nil
	}))
	if err != nil {
		return Durable{}, err
	}
	return Durable{"bare/claim", func(ctx context.Context, _, _ int) error {
		var id string
		var token int64
		var body []byte
		if err := pool.QueryRow(ctx, `UPDATE jobs SET state = 1, token = token + 1 WHERE id = (
			SELECT id FROM jobs WHERE state = 0 ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
			RETURNING id, token, body`).Scan(&id, &token, &body); err != nil {
			return err
		}
		tag, err := pool.Exec(ctx, `UPDATE jobs SET state = 2 WHERE id = $1 AND state = 1 AND token = $2`, id, token)
		if err == nil && tag.RowsAffected() != 1 {
			err = errors.New("the row was somebody else's")
		}
		return err
	}, closer(pool)}, nil
}
