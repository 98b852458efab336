// Out of a moving train: fields drawn into lines, the far hills still. As a video it loops after 8 seconds.

const float ROUND = 8.0;

/** Noise that repeats after `period` along x. */
float loopNoise(vec2 p, float period) {
  vec2 i = floor(p), f = fract(p), s = f * f * (3.0 - 2.0 * f);
  float a = mod(i.x, period), b = mod(i.x + 1.0, period);
  return mix(mix(hash2(vec2(a, i.y)), hash2(vec2(b, i.y)), s.x), mix(hash2(vec2(a, i.y + 1.0)), hash2(vec2(b, i.y + 1.0)), s.x), s.y);
}

float loopFbm(vec2 p, float period, int octaves) {
  float sum = 0.0, weight = 0.5;
  for (int i = 0; i < octaves; i++) {
    sum += weight * loopNoise(p + 7.0 * float(i) * vec2(0.0, 1.3), period);
    p *= 2.0;
    period *= 2.0;
    weight *= 0.5;
  }
  return sum;
}

vec3 photo(vec2 uv) {
  float gone = now / ROUND;
  vec2 p = uv + vec2(0.0, 0.0035 * sin(6.2832 * 9.0 * gone) + 0.002 * sin(6.2832 * 23.0 * gone + 1.0));
  float line = -0.06;
  vec3 c = mix(vec3(1.02, 0.74, 0.54), vec3(0.36, 0.48, 0.66), smoothstep(line, 0.9, p.y));
  c = mix(c, vec3(1.10, 0.86, 0.74), 0.6 * smoothstep(0.45, 0.75, fbm(vec2(p.x * 1.0, p.y * 3.6), 6)) * smoothstep(line, 0.3, p.y));
  for (int k = 0; k < 3; k++) {
    float depth = float(k);
    float ridge = k < 2 ? fbm(vec2(p.x * (1.6 - 0.5 * depth) + depth * 7.0, 1.0), 6 - k) : loopFbm(vec2(p.x * 0.9 + 4.0 * gone, 1.0), 4.0, 4);
    float top = line + 0.10 - 0.045 * depth + 0.06 * ridge;
    c = mix(c, mix(vec3(0.52, 0.47, 0.50), vec3(0.20, 0.20, 0.17), depth / 2.0), smoothstep(0.004 + 0.01 * depth, -0.004, p.y - top));
  }
  if (p.y < line) {
    float d = line - p.y;
    vec2 run = vec2(p.x * 0.10 / (0.5 + 6.0 * d) + gone, d * (42.0 - 20.0 * d));
    float streak = loopFbm(run, 1.0, 5), band = noise(vec2(2.0, d * 11.0));
    c = mix(vec3(0.46, 0.36, 0.15), vec3(0.13, 0.17, 0.055), smoothstep(0.3, 0.65, band));
    c = mix(c, vec3(0.68, 0.22, 0.14), smoothstep(0.60, 0.66, streak) * smoothstep(0.5, 0.62, noise(vec2(9.0, d * 7.0))) * 0.8);
    c *= 0.55 + 0.9 * streak;
    c = mix(c, vec3(0.70, 0.58, 0.46), exp(-d * 9.0) * 0.6);
  }
  // A mast every two seconds, and the wires that hang between them.
  float mast = fract(gone * 4.0 + 0.35);
  float x = 1.6 - 6.0 * mast * 1.1;
  c = mix(c, vec3(0.10, 0.085, 0.085), smoothstep(0.055, 0.02, abs(p.x - x - 0.03 * p.y)) * 0.75 * step(-0.95, p.y));
  float sag = 0.06 * pow(abs(fract((p.x - x) / 6.6 + 0.5) - 0.5) * 2.0, 2.0);
  float wires = smoothstep(0.005, 0.001, abs(p.y - 0.44 - sag)) + smoothstep(0.005, 0.001, abs(p.y - 0.52 - 1.3 * sag));
  c = mix(c, vec3(0.18), wires * 0.5);
  vec2 g = uv - vec2(0.22, -0.35 + 0.004 * sin(6.2832 * 2.0 * gone));
  float ghost = smoothstep(0.02, -0.06, min(length(g * vec2(1.15, 0.9)) - 0.14, box2(g + vec2(0.0, 0.42), vec2(0.20, 0.22)) - 0.08));
  c = mix(c, c * 0.72 + vec3(0.030, 0.024, 0.020), ghost);
  float drops = 0.0;
  for (int k = 0; k < 2; k++) {
    vec2 q = turn(-0.32) * uv * vec2(7.0 + 5.0 * float(k), 24.0 + 16.0 * float(k)), cell = floor(q);
    vec2 f = fract(q) - 0.5;
    drops += smoothstep(0.14, 0.0, abs(f.y)) * smoothstep(0.42, 0.1, abs(f.x)) * step(0.86, hash2(cell + float(k) * 5.0));
  }
  c += (vec3(0.9, 0.8, 0.7) - c) * drops * 0.26;
  float pane = box2(uv - vec2(0.0, 0.10), vec2(0.47, 0.80) - 0.09) - 0.09;
  vec3 frame = vec3(0.055, 0.058, 0.064) * (0.8 + 0.5 * smoothstep(-1.0, 1.0, uv.y)) + vec3(0.30, 0.20, 0.13) * smoothstep(0.035, 0.0, pane) * smoothstep(0.6, -0.6, uv.y + uv.x);
  c = mix(c, frame, smoothstep(-0.003, 0.003, pane));
  if (uv.y < -0.79) {
    float table = smoothstep(-0.785, -0.80, uv.y);
    c = mix(c, vec3(0.16, 0.13, 0.11) * (0.8 + 0.3 * noise(uv * vec2(9.0, 90.0))) + vec3(0.25, 0.17, 0.10) * smoothstep(0.03, 0.0, abs(uv.y + 0.80)), table);
  }
  vec2 m = uv - vec2(-0.19, -0.70);
  float wide = 0.088 + 0.16 * (m.y + 0.13) * 0.5, cup = max(abs(m.x) - wide, abs(m.y) - 0.135);
  vec3 card = mix(vec3(0.66, 0.60, 0.50), vec3(0.52, 0.14, 0.08), step(abs(m.y + 0.01), 0.062)) * (0.35 + 0.75 * smoothstep(-0.1, 0.1, m.x));
  c = mix(c, card, smoothstep(0.003, -0.003, cup));
  c = mix(c, vec3(0.09, 0.07, 0.06) + 0.25 * smoothstep(0.0, 0.1, m.x), smoothstep(0.003, -0.003, max(abs(m.x) - 0.118, abs(m.y - 0.142) - 0.017)));
  return c;
}
