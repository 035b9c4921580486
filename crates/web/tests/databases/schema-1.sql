SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public.attempts (
    id text NOT NULL,
    person text NOT NULL,
    puzzle text NOT NULL,
    mode text NOT NULL,
    study text,
    started bigint NOT NULL,
    moves text NOT NULL,
    plies bigint,
    back_plies bigint,
    state text NOT NULL,
    counts bigint NOT NULL,
    hint text,
    outcome text,
    seconds double precision,
    longer_by bigint NOT NULL,
    finished bigint,
    rating_before double precision,
    rating_after double precision,
    changes bigint NOT NULL
);
CREATE TABLE public.opinions (
    person text NOT NULL,
    puzzle text NOT NULL,
    study text NOT NULL,
    interest bigint NOT NULL,
    difficulty bigint NOT NULL,
    given bigint NOT NULL
);
CREATE TABLE public.participants (
    study text NOT NULL,
    person text NOT NULL,
    code text NOT NULL,
    consented bigint NOT NULL
);
CREATE TABLE public.people (
    id text NOT NULL,
    created bigint NOT NULL,
    rating double precision NOT NULL,
    deviation double precision NOT NULL,
    volatility double precision NOT NULL,
    counted bigint NOT NULL,
    solved bigint NOT NULL,
    streak_count bigint NOT NULL,
    streak_best bigint NOT NULL,
    streak_puzzle text
);
CREATE TABLE public.puzzles (
    id text NOT NULL,
    rating double precision NOT NULL,
    deviation double precision NOT NULL,
    volatility double precision NOT NULL,
    counted bigint NOT NULL,
    solved bigint NOT NULL
);
CREATE TABLE public.settings (
    name text NOT NULL,
    value text NOT NULL
);
CREATE TABLE public.spuk_schema (
    version bigint NOT NULL
);
CREATE TABLE public.studies (
    id text NOT NULL,
    created bigint NOT NULL,
    title text NOT NULL,
    consent text NOT NULL,
    puzzles text NOT NULL,
    limit_seconds bigint NOT NULL,
    closed bigint NOT NULL
);
CREATE TABLE public.transfers (
    code text NOT NULL,
    person text NOT NULL,
    expires bigint NOT NULL
);
INSERT INTO public.attempts VALUES ('2sd1pzj3mpwwcwzh44rv', 'm5c7tb41w835zz4ks1ecrm449s', 'e4jgx2f4404fr', 'puzzle', NULL, 1795009127436, 'a4a5 c1b1 a5a6 b1a1 a6-out', 0, NULL, 'solved', 1, NULL, 'solved', 0.008, 0, 1795009127444, 1500, 1527.1524144558562, 3);
INSERT INTO public.attempts VALUES ('akv6rx246mjrrd1j04h3', 'm5c7tb41w835zz4ks1ecrm449s', '8vf8y6x70apw8', 'puzzle', NULL, 1795009127449, 'a5a4', NULL, 5, 'failed', 1, NULL, 'failed', 0.003, 0, 1795009127453, 1527.1524144558562, 1097.627274626188, 1);
INSERT INTO public.attempts VALUES ('1hdtgpppdh8h0a25vgnq', 'm5c7tb41w835zz4ks1ecrm449s', '5pr5r71bj5b3f', 'puzzle', NULL, 1795009127454, '', 5, NULL, 'open', 0, 'b5', NULL, NULL, 0, NULL, NULL, NULL, 1);
INSERT INTO public.attempts VALUES ('49mg85fq0je832c04qt1', 'm5c7tb41w835zz4ks1ecrm449s', 'bxmj8zqq7t0x4', 'puzzle', NULL, 1795009127456, '', 5, NULL, 'shown', 1, NULL, 'shown', 0.002, 0, 1795009127458, 1097.627274626188, 868.7194392370799, 1);
INSERT INTO public.attempts VALUES ('fczfdb22cdjsv8vavms4', 'm5c7tb41w835zz4ks1ecrm449s', 'bpbqrbbxg2dw5', 'streak', NULL, 1795009127461, 'a2a1 c2c1 b5a5 c1b1 a5a6 b1a1 a6-out', 0, NULL, 'solved', 1, NULL, 'solved', 0.01, 0, 1795009127471, 868.7194392370799, 999.9792856680241, 4);
INSERT INTO public.attempts VALUES ('nhtvf69r8vjn1wxx8f7z', 'm5c7tb41w835zz4ks1ecrm449s', 'eddpb3e7w0gmg', 'streak', NULL, 1795009127490, 'c5c6 b5b4 c6d6 b4b3 d6e6 b3b2 e6f6 b2b1 f6-out', 0, NULL, 'solved', 1, NULL, 'solved', 0.013, 0, 1795009127504, 999.9792856680241, 1082.1368578789177, 5);
INSERT INTO public.attempts VALUES ('tnhs0jk59f2nj41ws5at', 'm5c7tb41w835zz4ks1ecrm449s', '8k8dqxj0t2t72', 'puzzle', NULL, 1795009127506, 'a4a5 c2c1', 3, NULL, 'open', 1, NULL, NULL, NULL, 0, NULL, NULL, NULL, 1);
INSERT INTO public.attempts VALUES ('2satbwmmt9gjmesgs9c5', '5btx992k1nkf4zbfnv75gt5e47', '8hkzcqeer99zg', 'study', '7k21xe4j60', 1795009127556, 'a4a5 d1c1 a5a6 c1b1 a6-out', 0, NULL, 'solved', 0, NULL, 'solved', 0.012, 0, 1795009127568, NULL, NULL, 3);
INSERT INTO public.attempts VALUES ('tr1jndnnkkmb88vh4sxn', '5btx992k1nkf4zbfnv75gt5e47', 'ege04s7z02q5c', 'study', '7k21xe4j60', 1795009127583, '', 5, NULL, 'shown', 0, NULL, 'shown', 0.02, 0, 1795009127603, NULL, NULL, 1);
INSERT INTO public.opinions VALUES ('m5c7tb41w835zz4ks1ecrm449s', 'e4jgx2f4404fr', '', 2, -1, 1795009127448);
INSERT INTO public.opinions VALUES ('5btx992k1nkf4zbfnv75gt5e47', '8hkzcqeer99zg', '7k21xe4j60', 1, -2, 1795009127570);
INSERT INTO public.opinions VALUES ('5btx992k1nkf4zbfnv75gt5e47', 'ege04s7z02q5c', '7k21xe4j60', 1, -2, 1795009127606);
INSERT INTO public.participants VALUES ('7k21xe4j60', '5btx992k1nkf4zbfnv75gt5e47', 'taa2qeyjqq', 1795009127532);
INSERT INTO public.people VALUES ('m5c7tb41w835zz4ks1ecrm449s', 1795009127436, 1082.1368578789177, 192.71075507971983, 0.06000602018426629, 5, 3, 2, 2, 'avp6ynqy74cya');
INSERT INTO public.people VALUES ('5btx992k1nkf4zbfnv75gt5e47', 1795009127532, 1500, 350, 0.06, 0, 0, 0, 0, NULL);
INSERT INTO public.puzzles VALUES ('e4jgx2f4404fr', 889.5767743990506, 195.50989987546748, 0.059999568386511465, 1, 1);
INSERT INTO public.puzzles VALUES ('8vf8y6x70apw8', 1097.4984234141475, 195.02688662007287, 0.060004263593140365, 1, 0);
INSERT INTO public.puzzles VALUES ('bxmj8zqq7t0x4', 1000.1743362864866, 187.1463581907312, 0.060001253647332047, 1, 0);
INSERT INTO public.puzzles VALUES ('bpbqrbbxg2dw5', 842.360041582887, 183.02963887656685, 0.06000014058586999, 1, 1);
INSERT INTO public.puzzles VALUES ('eddpb3e7w0gmg', 892.1296219981028, 181.07615522654766, 0.059999418185386184, 1, 1);
INSERT INTO public.settings VALUES ('cookie-secret', 'f9wanvf7xzgtp138ya5wb3e655bz8b9a8e98t1b39k93ctvmh2bj');
INSERT INTO public.spuk_schema VALUES (1);
INSERT INTO public.studies VALUES ('7k21xe4j60', 1795009127530, 'Walls', 'I agree.', 'ege04s7z02q5c 1c41xnttfk9hy d71g13phpjbnc 8hkzcqeer99zg', 90, 0);
INSERT INTO public.transfers VALUES ('7f0427813b1705b80a9d2dc18b4509b8cd01989d434097b5652b6d0d24a5c265', 'm5c7tb41w835zz4ks1ecrm449s', 1795010027519);
ALTER TABLE ONLY public.attempts
    ADD CONSTRAINT attempts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.opinions
    ADD CONSTRAINT opinions_pkey PRIMARY KEY (person, puzzle, study);
ALTER TABLE ONLY public.participants
    ADD CONSTRAINT participants_pkey PRIMARY KEY (study, person);
ALTER TABLE ONLY public.people
    ADD CONSTRAINT people_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.puzzles
    ADD CONSTRAINT puzzles_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.settings
    ADD CONSTRAINT settings_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.spuk_schema
    ADD CONSTRAINT spuk_schema_pkey PRIMARY KEY (version);
ALTER TABLE ONLY public.studies
    ADD CONSTRAINT studies_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.transfers
    ADD CONSTRAINT transfers_pkey PRIMARY KEY (code);
CREATE INDEX attempts_of_person ON public.attempts USING btree (person, puzzle, started);
CREATE INDEX attempts_of_study ON public.attempts USING btree (study, person);
CREATE INDEX opinions_of_puzzle ON public.opinions USING btree (puzzle);
ALTER TABLE ONLY public.attempts
    ADD CONSTRAINT attempts_person_fkey FOREIGN KEY (person) REFERENCES public.people(id);
ALTER TABLE ONLY public.attempts
    ADD CONSTRAINT attempts_study_fkey FOREIGN KEY (study) REFERENCES public.studies(id);
ALTER TABLE ONLY public.opinions
    ADD CONSTRAINT opinions_person_fkey FOREIGN KEY (person) REFERENCES public.people(id);
ALTER TABLE ONLY public.participants
    ADD CONSTRAINT participants_person_fkey FOREIGN KEY (person) REFERENCES public.people(id);
ALTER TABLE ONLY public.participants
    ADD CONSTRAINT participants_study_fkey FOREIGN KEY (study) REFERENCES public.studies(id);
ALTER TABLE ONLY public.transfers
    ADD CONSTRAINT transfers_person_fkey FOREIGN KEY (person) REFERENCES public.people(id);
