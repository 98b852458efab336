// A big wheel at the blue hour, and the same in the wet promenade.

vec3 fair(vec2 uv, float soft) {
  vec3 c = mix(vec3(0.62, 0.33, 0.30), vec3(0.075, 0.125, 0.32), smoothstep(-0.45, 0.45, uv.y));
  c = mix(c, vec3(0.020, 0.040, 0.14), smoothstep(0.3, 1.1, uv.y));
  c = mix(c, vec3(0.50, 0.27, 0.32), 0.5 * smoothstep(0.48, 0.8, fbm(vec2(uv.x * 1.3, uv.y * 4.5) + 3.0, 5)));
  vec2 hub = vec2(-0.04, 0.14), q = uv - hub;
  float r = length(q), a = atan(q.y, q.x), R = 0.40;
  float legs = min(segment(uv, hub, vec2(-0.24, -0.42)), segment(uv, hub, vec2(0.16, -0.42))) - 0.010;
  c = mix(c, vec3(0.05, 0.045, 0.075), smoothstep(soft, -soft, legs));
  float sector = 6.2832 / 20.0, k = floor(a / sector + 0.5), da = a - k * sector;
  float spoke = abs(r * sin(da)) ;
  vec3 neon = 0.5 + 0.5 * cos(vec3(0.0, 2.1, 4.2) + r * 9.0 + 0.6);
  neon = mix(neon, vec3(1.0, 0.25, 0.55), 0.55);
  float inside = step(r, R);
  c += neon * inside * (0.75 * smoothstep(0.004 + soft, 0.0, spoke) + 0.0016 / (spoke + 0.010));
  float bulbs = smoothstep(0.009, 0.004, length(vec2(spoke, (fract(r * 24.0) - 0.5) / 24.0)));
  c += vec3(1.6, 1.2, 0.9) * bulbs * inside;
  for (int i = 0; i < 3; i++) {
    float ring = abs(r - R * (i == 0 ? 1.0 : i == 1 ? 0.93 : 0.42));
    vec3 tint = i == 0 ? vec3(1.0, 0.75, 0.45) : i == 1 ? vec3(0.3, 0.6, 1.0) : vec3(1.0, 0.35, 0.6);
    c += tint * (1.5 * smoothstep(0.005 + soft, 0.001, ring) + 0.0024 / (ring + 0.012));
  }
  vec2 seat = q - vec2(cos(k * sector), sin(k * sector)) * (R + 0.012) + vec2(0.0, 0.030);
  float cabin = min(max(length(seat * vec2(1.0, 1.1)) - 0.029, seat.y - 0.004), max(abs(seat.x) - 0.029, abs(seat.y - 0.026) - 0.005));
  vec3 paint = mod(k + 20.0, 3.0) < 1.0 ? vec3(0.85, 0.16, 0.13) : mod(k + 20.0, 3.0) < 2.0 ? vec3(0.92, 0.74, 0.30) : vec3(0.16, 0.50, 0.55);
  c = mix(c, paint * 0.65, smoothstep(soft + 0.002, -0.002, cabin));
  c += vec3(2.4, 1.6, 1.1) * smoothstep(0.034, 0.026, r) + vec3(0.4, 0.2, 0.3) * exp(-3.0 * max(r - R, 0.0)) * 0.32;
  for (int i = 0; i < 7; i++) {
    float kk = float(i), x = -0.55 + 0.18 * kk + 0.05 * hash1(kk);
    vec2 t = uv - vec2(x, -0.44);
    float tent = max(abs(t.x) - 0.075, max(-t.y, t.y - 0.070 - 0.055 * (1.0 - abs(t.x) / 0.075)));
    float stripe = step(0.5, fract(t.x * 26.0));
    vec3 cloth = mix(vec3(0.75, 0.70, 0.60), hash1(kk * 3.0) > 0.5 ? vec3(0.65, 0.10, 0.10) : vec3(0.12, 0.28, 0.48), stripe);
    c = mix(c, cloth * (0.30 + 0.8 * smoothstep(0.08, 0.0, t.y)), smoothstep(soft + 0.002, -0.002, tent));
    float bulb = length(t - vec2(0.09, 0.13));
    c += vec3(1.0, 0.66, 0.32) * (2.4 * smoothstep(0.012, 0.006, bulb) + 0.0013 / (bulb * bulb + 0.003));
  }
  return c;
}

vec3 photo(vec2 uv) {
  float line = -0.44;
  vec3 c;
  if (uv.y > line) c = fair(uv, 0.001);
  else {
    float d = line - uv.y;
    vec2 plank = vec2(uv.x / (d + 0.22), 1.0 / (d + 0.12));
    float wet = smoothstep(0.38, 0.60, fbm(plank * vec2(1.6, 1.1) + 3.0, 5));
    vec2 shake = (random2() + random2() - 1.0) * vec2(0.010, 0.055) * mix(3.2, 0.55, wet) * (0.3 + d) + 0.022 * d * (vec2(noise(plank * 9.0), noise(plank * 9.0 + 5.0)) - 0.5);
    vec3 shine = fair(vec2(uv.x, 2.0 * line - uv.y) + shake + vec2(0.0, 0.01), 0.004);
    float joint = smoothstep(0.07, 0.02, abs(fract(plank.y * 2.2) - 0.5));
    c = vec3(0.032, 0.024, 0.034) * (0.7 + 0.5 * noise(plank * vec2(3.0, 20.0))) + shine * mix(0.20, 0.68, wet) * (1.0 - 0.45 * joint);
  }
  for (int i = 0; i < 3; i++) {
    float k = float(i);
    vec2 p = (uv - vec2(0.20 + 0.062 * k, -0.600 - 0.01 * k)) / (0.92 - 0.25 * step(1.5, k));
    float person = min(length((p - vec2(0.0, 0.205)) * vec2(1.1, 0.92)) - 0.0205, segment(p, vec2(0.0, 0.160), vec2(0.0, 0.095)) - 0.030);
    person = min(person, min(segment(p, vec2(-0.009, 0.08), vec2(-0.020, -0.01)) - 0.0125, segment(p, vec2(0.011, 0.08), vec2(0.017, -0.01)) - 0.0125));
    c = mix(c, vec3(0.012, 0.010, 0.016) + vec3(0.28, 0.13, 0.13) * smoothstep(-0.008, 0.0, person), smoothstep(0.003, -0.003, person));
  }
  return c;
}
